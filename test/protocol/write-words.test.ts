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
    ['DELETEdomain', 'delete'],
    ['dеlеtе_domain', 'delete'],
    ['Βuy', 'buy'],
    ['déléte_domain', 'delete'],
    ['de\u00adle\u200bte_domain', 'delete'],
    ['reactivate_domain', 'activate'],
    ['deregister', 'register'],
    ['bulkRepurchase', 'purchase'],
    ['deletes_domain', 'delete'],
    ['modifiesContact', 'modify'],
    ['deletedomain', 'delete'],
    ['domainregister', 'register'],
    ['setdns', 'set'],
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
    'удалить',
    'list_orders',
    'get_purchases',
    'domain_updates',
    'get_recordset',
    'list_presets',
    'preset',
    'descriptions',
    'dispositions',
    'address',
    'premium_domains',
    'domaininfo',
    'hostnames',
  ])('%s: none', (name) => expect(describesWrite(name)).toBeNull());

  it('is split at separators and humps', () => {
    expect(wordsOf('getHTTPStatus2xx_of-domain')).toEqual(['get', 'http', 'status', '2', 'xx', 'of', 'domain']);
  });
});
