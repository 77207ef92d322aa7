/** How a server is spoken to: with a handshake (2024-11-05 to 2025-11-25) or without (2026-07-28 on). */
export type Era = 'handshake' | 'stateless';

/** Published revisions, oldest first. */
export const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

export const newestHandshakeRevision: Revision = '2025-11-25';

export const isRevision = (value: string): value is Revision => (revisions as readonly string[]).includes(value);

export const eraOf = (revision: Revision): Era => (revision >= '2026-07-28' ? 'stateless' : 'handshake');

/** From 2025-06-18 on every request after initialize carries `MCP-Protocol-Version` (Streamable HTTP, "Protocol Version Header"). */
export const hasVersionHeader = (revision: string): boolean => revision >= '2025-06-18';
