import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { realModules } from '../helpers/real-server.ts';

/** Key and certificate as PEM. */
export interface Certificate {
  readonly private: string;
  readonly cert: string;
}

interface MakeOptions {
  readonly ca?: { readonly key: string; readonly cert: string };
  readonly keyType: 'ec';
  readonly algorithm: 'sha256';
  readonly notBeforeDate: Date;
  readonly notAfterDate: Date;
  readonly extensions: readonly object[];
}

// The one function of selfsigned that is used here; the package lives in this folder's own lock.
const { default: selfsigned } = (await import(
  pathToFileURL(path.join(realModules, 'selfsigned', 'index.js')).href
)) as {
  readonly default: { generate(names: readonly object[], options: MakeOptions): Promise<Certificate> };
};

const day = 86_400_000;
const inDays = (days: number): Date => new Date(Date.now() + days * day);

/** A certificate authority of one's own. */
export const makeAuthority = (name: string): Promise<Certificate> =>
  selfsigned.generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: inDays(-30),
    notAfterDate: inDays(30),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });

/** A server's certificate, signed by the authority. `host` is an address or a name; `days` how long it still holds. */
export const makeCertificate = (authority: Certificate, host: string, days = 10): Promise<Certificate> =>
  selfsigned.generate([{ name: 'commonName', value: host }], {
    ca: { key: authority.private, cert: authority.cert },
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: inDays(-20),
    notAfterDate: inDays(days),
    extensions: [
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [/^[\d.]+$|:/.test(host) ? { type: 7, ip: host } : { type: 2, value: host }],
      },
    ],
  });
