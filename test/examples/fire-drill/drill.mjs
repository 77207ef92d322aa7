// A fire drill: would the alarm go off, and where would it ring? Nothing leaves this machine, and no issue is written.
//
//   mcp-canary rehearse godaddy --rule tool-renamed     one drift, the whole way to the alert
//   mcp-canary rehearse godaddy --all                   every rule that this recording allows
import assert from 'node:assert/strict';
import path from 'node:path';
import { runCanary } from '../run-canary.mjs';

const root = path.join(import.meta.dirname, '..', '..', '..');

const report = runCanary(['rehearse', 'godaddy', '--rule', 'tool-renamed'], root);
assert.match(report, /BREAKING tool-renamed/);

const all = runCanary(['rehearse', 'godaddy', '--all'], root);
assert.match(all, /every rule that can be rehearsed fired, with nothing unexpected/);
