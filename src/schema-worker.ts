import { parentPort } from 'node:worker_threads';
import { createAnswerer } from './schemas/answer-questions.ts';
import type { Answer, Question } from './schemas/worker-messages.ts';

// The entry of the worker in which schemas are validated: Ajv compiles them to code, and a hostile pattern can hang it.
const answer = createAnswerer();
parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)));
const ready: Answer = { id: 0, verdict: { kind: 'accepted' } };
parentPort?.postMessage(ready);
