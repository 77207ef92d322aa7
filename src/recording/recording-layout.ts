import { sha256Of } from '../json/digest.ts';

/** Where the parts of a recording lie, relative to its folder; always with forward slashes. */
export const layout = {
  recording: 'recording.json',
  handshake: 'handshake.json',
  toolList: 'tools-list.json',
  calls: 'tools-call',
  probes: 'probes.json',
} as const;

/** The current version of the files. N and N-1 are read, N is written. */
export const formatVersion = 1;

export const callPath = (tool: string, caseName: string): string =>
  `${layout.calls}/${slugOf(tool)}/${slugOf(caseName)}.json`;

/** Whether a file is written, and so also removed, by us. Others in the folder (somebody's notes) are left. */
export const isOwnFile = (path: string): boolean =>
  path === layout.recording ||
  path === layout.handshake ||
  path === layout.toolList ||
  path === layout.probes ||
  path.startsWith(`${layout.calls}/`);

// Windows keeps these names for devices, whatever the extension.
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/;
const longest = 64;

/**
 * A safe name for a file or folder from any text: lower case letters, digits, `_`, `-` and inner dots. Where that loses
 * something (another case, a separator, a dot in front, a name that Windows keeps, too long) eight digits of the text's
 * own hash follow, so two texts never share a name, on no file system.
 */
export function slugOf(text: string): string {
  const slug = text
    .slice(0, 4 * longest)
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[.-]+|[.-]+$/g, '')
    .replace(/\.{2,}/g, '.')
    .slice(0, longest)
    .replace(/[.-]+$/, '');
  // A text that already ends like a hash gets one of its own: else it could be taken for the slug of another.
  if (slug === text && slug !== '' && !reserved.test(slug) && !/-[0-9a-f]{8}$/.test(slug)) return slug;
  return `${slug === '' ? 'unnamed' : slug}-${sha256Of(text).slice('sha256:'.length, 'sha256:'.length + 8)}`;
}
