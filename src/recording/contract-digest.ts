import { canonicalJson } from '../json/canonical-json.ts';
import { sha256Of } from '../json/digest.ts';
import { isJsonObject, type JsonObject, type JsonValue, member } from '../json/json-value.ts';
import { mapMembers } from '../json/map-members.ts';
import { serverInfoKey } from '../protocol/tool-list.ts';
import { nameOf, normaliseContract } from './normal-form.ts';
import type { Contract } from './observation.ts';
import { digestMembers, wordedMembers } from './text-digest.ts';

/**
 * `sha256:…` over the handshake's result and the tools in normal form: two sides with one digest say the same. How the
 * answers travelled and what calls gave is left out; of `_meta`, which is opaque, only the keys count. Worded texts go in
 * by their own digest, so that a recording that left out the words has the digest of the server that says them.
 */
export function contractDigest(contract: Contract): string {
  const known = digests.get(contract);
  if (known !== undefined) return known;
  const digest = takeDigest(contract);
  digests.set(contract, digest);
  return digest;
}

/** A contract never changes once it is made, and one recording may be compared with a thousand looks. */
const digests = new WeakMap<Contract, string>();

function takeDigest(contract: Contract): string {
  const { handshake, list } = normaliseContract(contract);
  const said: JsonValue = {
    handshake: handshake === null ? null : keepMetaKeys(handshake.result),
    tools: list === null ? null : Object.fromEntries(list.tools.map((tool) => [nameOf(tool), keepMetaKeys(tool)])),
    duplicates: list?.duplicates ?? [],
    members: list === null ? null : keepMetaKeys(list.members),
  };
  return sha256Of(canonicalJson(digestMembers(said, wordedMembers)));
}

/** `_meta` with its keys only, since servers put request ids and times there; who the server says it is counts. */
export function keepMetaKeys(object: JsonObject): JsonObject {
  const meta = member(object, '_meta');
  if (!isJsonObject(meta)) return object;
  const keys = mapMembers(meta, (value, key) => (key === serverInfoKey ? value : null));
  return mapMembers(object, (value, key) => (key === '_meta' ? keys : value));
}
