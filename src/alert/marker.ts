import type { IssueState } from './issue-state.ts';
import { decodeIssueState, encodeIssueState } from './issue-state.ts';

/** An issue's body taken apart. What a person wrote behind our last line is theirs. */
export interface MarkedBody {
  /** 16 hex digits: see `issue-key.ts`. */
  readonly key: string;
  /** null where the state in the marker is missing or damaged. */
  readonly state: IssueState | null;
  /** Between the marker and our last line, without the status line. */
  readonly content: string;
  /** Behind our last line. */
  readonly tail: string;
}

// Only at the very start: a marker further down would be a text of the server's.
const markerPattern = /^<!-- mcp-canary:1 k=([0-9a-f]{16}) s=([^\s>]{0,8192}) -->(?:\r\n|\n|\r|$)/;
const commentPattern = /^<!-- mcp-canary:1 c=([0-9a-f]{16}) -->/;
const endOf = (key: string): string => `<!-- mcp-canary:end ${key} -->`;
const statusPattern = /^\*\*Status:\*\* [^\r\n]*(?:\r\n|\n|\r|$)/;

/** What a body that begins with our marker says; null where it does not begin with one. */
export function readMarkedBody(body: string): MarkedBody | null {
  const marker = markerPattern.exec(body);
  if (marker === null) return null;
  const [line, key = '', state = ''] = marker;
  const rest = body.slice(line.length).replace(statusPattern, '');
  const end = rest.lastIndexOf(endOf(key));
  return {
    key,
    state: decodeIssueState(state),
    content: (end < 0 ? rest : rest.slice(0, end)).replace(/^[\r\n]+|[\r\n]+$/g, ''),
    tail: end < 0 ? '' : rest.slice(end + endOf(key).length),
  };
}

/** Marker, status, content, and our last line; `tail` is put behind it as it was. */
export const writeMarkedBody = (
  key: string,
  state: IssueState,
  { status, content, tail }: { readonly status: string; readonly content: string; readonly tail: string },
): string =>
  `<!-- mcp-canary:1 k=${key} s=${encodeIssueState(state)} -->\n**Status:** ${status}\n\n${content}\n\n${endOf(key)}${tail}`;

/** The token of a comment of ours, or null. */
export const readCommentToken = (body: string): string | null => commentPattern.exec(body)?.[1] ?? null;

export const writeComment = (token: string, text: string): string => `<!-- mcp-canary:1 c=${token} -->\n${text}`;
