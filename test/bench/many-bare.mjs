import { bareLoop } from './bare-look.mjs';

const { seconds, maxRss } = await bareLoop(500, 32, () => process.argv[2]);
console.log(JSON.stringify({ perSecond: 500 / seconds, maxRss }));
