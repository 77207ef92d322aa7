import { createHash } from 'node:crypto';
import path from 'node:path';

/**
 * The actions that our workflows use, by the commit of a release: a tag can be moved. Kept in one place; a test compares
 * the workflows of this repository with it.
 */
export const pinnedActions = {
  checkout: 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0',
  setupNode: 'actions/setup-node@2028fbc5c25fe9cf00d9f06a71cc4710d4507903 # v6.0.0',
  uploadArtifact: 'actions/upload-artifact@330a01c490aca151604b8cf639adc76d48f6c5d4 # v5.0.0',
  downloadArtifact: 'actions/download-artifact@018cc2cf5baa6db3ef3c5f8a56943fffe632ef53 # v6.0.0',
  cacheRestore: 'actions/cache/restore@0057852bfaa89a56745cba8c7296529d2fc39830 # v4.3.0',
  cacheSave: 'actions/cache/save@0057852bfaa89a56745cba8c7296529d2fc39830 # v4.3.0',
} as const;

/** Where `alert` keeps what no issue can; the workflow keeps the folder between runs. */
export const alertMemoryFolder = '.mcp-canary';

export interface WorkflowFacts {
  /** Of mcp-canary: the workflow asks for exactly this one. */
  readonly version: string;
  /** `owner/name`, or null where it is not known: it only spreads the minutes of many canaries over the hour. */
  readonly repository: string | null;
  /** Path of targets.yaml within the repository. */
  readonly config: string;
}

/** An odd minute, so that not every canary of the world runs at the full hour, where schedules are dropped. */
export function nightlyMinute(seed: string): number {
  const [byte = 0] = createHash('sha256').update(seed, 'utf8').digest();
  return (byte % 29) * 2 + 1;
}

/**
 * The nightly workflow that `init --github` writes. Two jobs, two trusts: the first holds the registrars' secrets, has no
 * permission, and reads what servers send; the second may write issues, holds no secret, and treats the report as data.
 * No text from outside stands in an expression or in a script.
 */
export function workflowTemplate({ version, repository, config }: WorkflowFacts): string {
  const minute = nightlyMinute(repository ?? config);
  // The start of an expression in a path would be one: it is written as an expression that gives just that.
  const opening = '$' + '{{';
  const quoted = JSON.stringify(path.posix.normalize(config.replaceAll('\\', '/')));
  const file = quoted.replaceAll(opening, `${opening} '${opening}' }}`);
  return `# The nightly look at the MCP servers you depend on. Written by mcp-canary; yours to change.
name: mcp-canary

on:
  schedule:
    # An odd minute: at the full hour GitHub drops runs.
    - cron: '${minute} 3 * * *'
  workflow_dispatch:
    inputs:
      targets:
        description: Targets to check, separated by blanks (empty for all)
        type: string
        default: ''

permissions: {}

defaults:
  run:
    shell: bash

concurrency:
  group: mcp-canary
  cancel-in-progress: false

env:
  CONFIG: ${file}

jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    # Reads what servers send, so it may write nothing. A private repository needs "contents: read" here.
    permissions: {}
    steps:
      - uses: ${pinnedActions.checkout}
        with:
          persist-credentials: false
      - uses: ${pinnedActions.setupNode}
        with:
          node-version: 22
      - name: Check
        env:
          TARGETS: \${{ inputs.targets }}
          # The variables that targets.yaml names, each from a secret of this repository:
          # REGISTRAR_TOKEN: \${{ secrets.REGISTRAR_TOKEN }}
        run: |
          read -ra selected <<< "\${TARGETS//$'\\n'/ }"
          mkdir -p canary
          code=0
          npx --yes mcp-canary@${version} check --config "$CONFIG" --candidate canary/candidate --reporter json=canary/report.json --reporter github -- "\${selected[@]}" || code=$?
          # 1 is drift, 3 a target that could not be judged: the other job tells of both. Anything else is ours to mend.
          case "$code" in 0 | 1 | 3) ;; *) exit "$code" ;; esac
          test -f canary/report.json
      - uses: ${pinnedActions.uploadArtifact}
        with:
          name: mcp-canary
          path: canary
          if-no-files-found: error
          retention-days: 30

  alert:
    needs: check
    # Only the default branch speaks.
    if: github.event_name == 'schedule' || github.ref_name == github.event.repository.default_branch
    runs-on: ubuntu-latest
    timeout-minutes: 30
    # With openPullRequest also "contents: write" and "pull-requests: write".
    permissions:
      contents: read
      issues: write
    steps:
      - uses: ${pinnedActions.checkout}
        with:
          persist-credentials: false
      - uses: ${pinnedActions.setupNode}
        with:
          node-version: 22
      - uses: ${pinnedActions.downloadArtifact}
        with:
          name: mcp-canary
          path: canary
      - uses: ${pinnedActions.cacheRestore}
        with:
          path: ${alertMemoryFolder}
          key: mcp-canary-\${{ github.run_id }}-\${{ github.run_attempt }}
          restore-keys: mcp-canary-
      - name: Alert
        env:
          GITHUB_TOKEN: \${{ github.token }}
        run: npx --yes mcp-canary@${version} alert --config "$CONFIG" --report canary/report.json --candidate canary/candidate
      - uses: ${pinnedActions.cacheSave}
        if: always()
        with:
          path: ${alertMemoryFolder}
          key: mcp-canary-\${{ github.run_id }}-\${{ github.run_attempt }}
      - name: Something was judged
        if: always()
        run: |
          judged="$(node -p 'require("./canary/report.json").summary.judged > 0')"
          if [ "$judged" != 'true' ]; then
            echo '::error::Nothing was judged.'
            exit 1
          fi
`;
}
