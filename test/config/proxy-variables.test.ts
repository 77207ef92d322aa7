import { describe, expect, it } from 'vitest';
import { readProxy, unusableProxies } from '../../src/config/proxy-variables.ts';

describe('what the environment says about proxies', () => {
  it.each([
    [{}, { http: null, https: null, noProxy: null }],
    [{ HTTP_PROXY: '' }, { http: null, https: null, noProxy: null }],
    [
      { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2', HTTP_PROXY: ' http://c:3 ' },
      { http: 'http://c:3', https: 'http://b:2', noProxy: null },
    ],
    [{ http_proxy: '127.0.0.1:3128' }, { http: 'http://127.0.0.1:3128', https: null, noProxy: null }],
    [
      { NO_PROXY: 'localhost, .example.org:8080 ::1,fe80::1 [::2]:80' },
      { http: null, https: null, noProxy: 'localhost, .example.org:8080 [::1],[fe80::1] [::2]:80' },
    ],
    [
      { no_proxy: '*', NO_PROXY: 'a' },
      { http: null, https: null, noProxy: '*' },
    ],
  ])('%j', (env, settings) => {
    expect(readProxy(env)).toEqual(settings);
  });

  it.each([
    [{ HTTP_PROXY: 'http://u:p@' }, ['HTTP_PROXY']],
    [{ HTTP_PROXY: 'not an address', HTTPS_PROXY: 'ftp://a' }, ['HTTPS_PROXY', 'HTTP_PROXY']],
    [{ HTTP_PROXY: 'proxy:3128', HTTPS_PROXY: 'socks5://a:1' }, []],
  ])('%j cannot be used: %j', (env, names) => {
    expect(unusableProxies(env)).toEqual(names);
  });
});
