import type { Example } from './example.ts';

export const initExamples = {
  'init-failed': [
    '{"result": {"protocolVersion": "2025-11-25"}}',
    '{"error": {"code": -32603, "message": "Internal error"}}',
  ],
  'init-era-stateless-only': [
    '{"result": {"protocolVersion": "2025-11-25"}}',
    '{"error": {"code": -32022, "message": "Unsupported protocol version", "data": {"supported": ["2026-07-28"]}}}',
  ],
  'init-era-handshake-only': [
    '{"result": {"resultType": "complete", "tools": []}}',
    '{"error": {"code": -32000, "message": "Server not initialized"}}',
  ],
  'init-result-invalid': ['{"protocolVersion": "2025-11-25"}', '{"protocolVersion": 20251125}'],
  'init-protocol-version-unsupported': ['{"protocolVersion": "2025-11-25"}', '{"protocolVersion": "2099-01-01"}'],
  'init-protocol-version-lowered': ['{"protocolVersion": "2025-11-25"}', '{"protocolVersion": "2025-06-18"}'],
  'init-protocol-version-raised': ['{"protocolVersion": "2025-06-18"}', '{"protocolVersion": "2025-11-25"}'],
  'init-capability-tools-removed': ['{"capabilities": {"tools": {}}}', '{"capabilities": {}}'],
  'init-capability-removed': ['{"capabilities": {"tools": {}, "prompts": {}}}', '{"capabilities": {"tools": {}}}'],
  'init-capability-added': ['{"capabilities": {"tools": {}}}', '{"capabilities": {"tools": {}, "prompts": {}}}'],
  'init-capability-setting-changed': [
    '{"capabilities": {"tools": {"listChanged": true}}}',
    '{"capabilities": {"tools": {"listChanged": false}}}',
  ],
  'init-extension-removed': [
    '{"capabilities": {"tools": {}, "extensions": {"example.org/quotes": {}}}}',
    '{"capabilities": {"tools": {}, "extensions": {}}}',
  ],
  'init-extension-added': [
    '{"capabilities": {"tools": {}, "extensions": {}}}',
    '{"capabilities": {"tools": {}, "extensions": {"example.org/quotes": {}}}}',
  ],
  'init-server-name-changed': [
    '{"serverInfo": {"name": "registrar", "version": "1.2.0"}}',
    '{"serverInfo": {"name": "domain-helper", "version": "1.2.0"}}',
  ],
  'init-server-version-changed': [
    '{"serverInfo": {"name": "registrar", "version": "1.2.0"}}',
    '{"serverInfo": {"name": "registrar", "version": "1.3.0"}}',
  ],
  'init-server-version-lowered': [
    '{"serverInfo": {"name": "registrar", "version": "1.3.0"}}',
    '{"serverInfo": {"name": "registrar", "version": "1.2.0"}}',
  ],
  'init-server-display-changed': [
    '{"serverInfo": {"name": "registrar", "version": "1.2.0", "title": "Registrar"}}',
    '{"serverInfo": {"name": "registrar", "version": "1.2.0", "title": "The Registrar"}}',
  ],
  'init-server-url-host-changed': [
    '{"serverInfo": {"name": "registrar", "version": "1.2.0", "websiteUrl": "https://registrar.example/"}}',
    '{"serverInfo": {"name": "registrar", "version": "1.2.0", "websiteUrl": "https://registrar.example.net/"}}',
  ],
  'init-instructions-added': ['{}', '{"instructions": "Check a name before you suggest it."}'],
  'init-instructions-changed': [
    '{"instructions": "Check a name before you suggest it."}',
    '{"instructions": "Suggest names first, then check them."}',
  ],
  'init-instructions-removed': ['{"instructions": "Check a name before you suggest it."}', '{}'],
  'init-unknown-member-added': ['{}', '{"quota": {"daily": 100}}'],
  'init-meta-changed': ['{"_meta": {}}', '{"_meta": {"example.org/region": "eu"}}'],
  'initialized-rejected': [
    'notifications/initialized: HTTP 202',
    'notifications/initialized: HTTP 400, and tools/list fails, too',
  ],
  'initialized-status-nonconforming': [
    'notifications/initialized: HTTP 202 without a body',
    'notifications/initialized: HTTP 200, {"ok": true}',
  ],
} as const satisfies Readonly<Record<string, Example>>;
