import { isJsonObject, type JsonValue, member } from '../../json/json-value.ts';
import { describesWrite } from '../../protocol/write-words.ts';
import type { ConfigPath, DraftFault } from '../config-fault.ts';
import { checkPins } from './check-pins.ts';

/** What is watched and what is called. A tool whose name describes a write is never callable, whatever the config says. */
export function checkTools(path: ConfigPath, tools: JsonValue | undefined): DraftFault[] {
  if (!isJsonObject(tools)) return [];
  if (Object.keys(tools).length === 0)
    return [
      {
        path,
        at: 'value',
        problem: 'is empty',
        mend: 'Name the tools you depend on, or leave tools out to watch every one.',
      },
    ];
  return Object.entries(tools).flatMap(([tool, use]) => checkTool([...path, tool], tool, member(use, 'calls')));
}

function checkTool(path: ConfigPath, tool: string, calls: JsonValue | undefined): DraftFault[] {
  if (tool === '__proto__') return [{ path, at: 'key', problem: 'cannot be used as a name', mend: 'Remove it.' }];
  if (!isJsonObject(calls)) return [];
  const faults = Object.entries(calls).flatMap(([name, call]) => checkCall([...path, 'calls', name], call));
  const word = Object.keys(calls).length > 0 ? describesWrite(tool) : null;
  if (word !== null) {
    faults.push({
      path: [...path, 'calls'],
      at: 'key',
      problem: `would call a tool whose name describes a write (${word})`,
      mend: 'Remove calls: such a tool can be watched, not called. The same goes for every tool whose server gives no read-only hint.',
    });
  }
  return faults;
}

const checkCall = (path: ConfigPath, call: JsonValue): DraftFault[] =>
  checkPins([...path, 'pins'], member(call, 'pins'));
