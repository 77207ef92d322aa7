import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate that nobody vouches for, and its key, as PEM: for a server that a client must turn away from. */
export function makeSelfSigned(
  commonName: string,
  alsoFor: readonly string[],
): { readonly cert: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(der(0x06, hex('2a8648ce3d040302')));
  const name = sequence(der(0x31, sequence(der(0x06, hex('550403')), der(0x0c, Buffer.from(commonName)))));
  const names = alsoFor.map((dns) => der(0x82, Buffer.from(dns, 'latin1')));
  const alternatives = sequence(der(0x06, hex('551d11')), der(0x04, sequence(...names)));
  const toSign = sequence(
    der(0xa0, der(0x02, hex('02'))), // v3
    der(0x02, hex('01')),
    ecdsaWithSha256,
    name,
    sequence(der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from('20991231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alternatives)),
  );
  const signature = der(0x03, Buffer.concat([hex('00'), sign('sha256', toSign, privateKey)]));
  const body =
    sequence(toSign, ecdsaWithSha256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${body.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');

/** One value in DER (X.690): its tag, its length, its content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const long = length < 0x80 ? [] : length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, long.length === 0 ? length : 0x80 | long.length, ...long]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
