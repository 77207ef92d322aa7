import { describe, expect, it } from 'vitest';
import { describesWrite, wordsOf } from '../../src/protocol/write-words.ts';

describe('a name that describes a write', () => {
  it.each([
    ['buy_domain', 'buy'],
    ['domains.purchase', 'purchase'],
    ['registerDomain', 'register'],
    ['domain-renew', 'renew'],
    ['DomainTransferStart', 'transfer'],
    ['deleteDNSRecord', 'delete'],
    ['DNSDelete', 'delete'],
    ['REMOVE_CONTACT', 'remove'],
    ['dns/update', 'update'],
    ['v2.set.nameservers', 'set'],
    ['create2', 'create'],
    ['2create', 'create'],
    ['cancel order', 'cancel'],
    ['ｄｅｌｅｔｅ_domain', 'delete'],
    ['unlock', 'unlock'],
  ])('%s: %s', (name, word) => expect(describesWrite(name)).toBe(word));

  it.each([
    'domains_check_availability',
    'domains_suggest',
    'get_registrar',
    'registered_domains',
    'list_transfers',
    'settings_get',
    'getUpdatedAt',
    'address_lookup',
    'whois',
    'search',
    'echo',
    '',
    '名前',
  ])('%s: none', (name) => expect(describesWrite(name)).toBeNull());

  it('is split at separators and humps', () => {
    expect(wordsOf('getHTTPStatus2xx_of-domain')).toEqual(['get', 'http', 'status', '2', 'xx', 'of', 'domain']);
  });
});
