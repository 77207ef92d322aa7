import { createHash } from 'node:crypto';
import { loadPeers } from '../peers.ts';
import type { Secret } from '../text/secret.ts';

/** The database of a fleet, beside its history: questions of others, and locks. */
export interface PostgresLink {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
  /** Which of these locks somebody holds just now, in whatever process. */
  heldOf(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** Rejects where the database does not answer. */
  openLocks(): Promise<Locks>;
  close(): Promise<void>;
}

/** Locks that live as long as one connection: they are free again when it breaks, when its process dies, or its machine. */
export interface Locks {
  /** false: somebody else holds it. */
  take(name: string): Promise<boolean>;
  release(name: string): Promise<void>;
  /** Fires when the connection is gone, and every lock with it. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

const patienceMs = 10_000;

/** How soon either side notices that the other one's machine is gone. */
const keepAlive = '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3';

/** @throws CanaryError `usage` where pg is not installed */
export async function openPostgresLink(url: Secret): Promise<PostgresLink> {
  const pg = await loadPeers('A fleet', ['pg'], async () => (await import('pg')).default);
  const connection = {
    connectionString: url.reveal(),
    connectionTimeoutMillis: patienceMs,
    application_name: 'mcp-canary',
  };
  const pool = new pg.Pool({ ...connection, max: 4 });
  // A connection that breaks while nobody uses it is replaced with the next query.
  pool.on('error', () => undefined);
  const query: PostgresLink['query'] = async (text, values) => {
    const answer: unknown = await pool.query(text, values === undefined ? undefined : [...values]);
    // Several statements at once have an answer each; nobody asks for those.
    return Array.isArray(answer) ? { rows: [] } : (answer as { readonly rows: readonly unknown[] });
  };
  return {
    query,
    heldOf: async (names) => {
      const { rows } = await query(
        `select classid::bigint as high, objid::bigint as low from pg_locks
         where locktype = 'advisory' and granted and objsubid = 1
           and database = (select oid from pg_database where datname = current_database())`,
      );
      const held = new Set((rows as readonly { high: string; low: string }[]).map(({ high, low }) => `${high} ${low}`));
      return new Set(
        names.filter((name) => {
          const { high, low } = keyOf(name);
          return held.has(`${high} ${low}`);
        }),
      );
    },
    openLocks: async () => {
      const client = new pg.Client({ ...connection, keepAlive: true, options: keepAlive });
      const lost = new AbortController();
      client.on('error', () => lost.abort());
      client.on('end', () => lost.abort());
      await client.connect();
      const ask = async (what: string, name: string): Promise<boolean> => {
        const { rows } = await client.query(`select ${what}($1::bigint) as done`, [keyOf(name).whole.toString()]);
        return rows[0]?.done === true;
      };
      return {
        take: (name) => ask('pg_try_advisory_lock', name),
        release: async (name) => {
          await ask('pg_advisory_unlock', name);
        },
        lost: lost.signal,
        close: () => client.end(),
      };
    },
    close: () => pool.end(),
  };
}

/** The 64 bits that stand for a name, and their halves as `pg_locks` shows them. */
function keyOf(name: string): { readonly whole: bigint; readonly high: number; readonly low: number } {
  const hash = createHash('sha256').update(`mcp-canary lock\0${name}`, 'utf8').digest();
  return { whole: hash.readBigInt64BE(0), high: hash.readUInt32BE(0), low: hash.readUInt32BE(4) };
}
