// SPDX-License-Identifier: Apache-2.0
// BullMQ, which does what the lines of its input say, until that ends.
//   node bullmq.mjs HOST PORT QUEUES handle|keep
// A line has the number of the call, a verb and its arguments; a task is QUEUE:NUMBER:DUE, the last in epoch milliseconds.
// It writes "= CALL ANSWER", or "! CALL WHY" of a call that failed; and "@ MICROS HEAD" of a task that a worker got: when, and
// how its payload begins.
import { createInterface } from 'node:readline';
import { Queue, Worker } from 'bullmq';

// its documentation calls 100 to 300 usual
const CONCURRENCY = 100;
const PAYLOAD = 200;
const HEAD = 26;

const [host, port, count, role] = process.argv.slice(2);
const connection = { host, port: Number(port), maxRetriesPerRequest: null };
const names = Array.from({ length: Number(count) }, (_, i) => `q${i}`);
const queues = names.map(name => new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } }));
const workers = role === 'handle'
  ? names.map(name => new Worker(name, async job => arrive(job.data), { connection, concurrency: CONCURRENCY }))
  : [];

// A run in which something fails is spoilt.
function spoilt(error) {
  console.error('Error: BullMQ failed:', error);
  process.exit(3);
}
queues.forEach(queue => queue.on('error', spoilt));
workers.forEach(worker => worker.on('error', spoilt).on('failed', (job, error) => spoilt(error)));

// The wall clock, more exact within its millisecond.
function micros() {
  const wall = Date.now();
  const fine = performance.timeOrigin + performance.now();
  return Math.floor(Math.min(Math.max(fine, wall), wall + 0.999) * 1000);
}

let arrived = [];

function arrive(payload) {
  if (payload.length !== PAYLOAD) {
    throw new Error(`a payload of ${payload.length} characters`);
  }
  if (arrived.length === 0) {
    setImmediate(() => {
      process.stdout.write(arrived.join(''));
      arrived = [];
    });
  }
  arrived.push(`@ ${micros()} ${payload.slice(0, HEAD)}\n`);
}

const padded = (value, width) => String(value).padStart(width, '0');
const idOf = number => `task000000${padded(number, 12)}`;

// The same id and payload as Task makes.
function job(number, due) {
  const timestamp = Date.now();
  return {
    name: 'task',
    data: `${padded(number, 12)}:${padded(due, 13)}:`.padEnd(PAYLOAD, 'x'),
    opts: { jobId: idOf(number), timestamp, delay: Math.max(0, due - timestamp) },
  };
}

const add = (queue, { name, data, opts }) => queues[queue].add(name, data, opts);
const parsed = word => word.split(':').map(Number);

async function timed(work) {
  const began = process.hrtime.bigint();
  const calls = await work();
  return `${calls} ${process.hrtime.bigint() - began}`;
}

const verbs = {
  async add(task) {
    const [queue, number, due] = parsed(task);
    await add(queue, job(number, due));
    return '';
  },

  async addAll(...tasks) {
    const ofQueue = new Map();
    for (const [queue, number, due] of tasks.map(parsed)) {
      if (!ofQueue.has(queue)) {
        ofQueue.set(queue, []);
      }
      ofQueue.get(queue).push(job(number, due));
    }
    await Promise.all([...ofQueue].map(([queue, jobs]) => queues[queue].addBulk(jobs)));
    return '';
  },

  addFor(callers, millis, first, due) {
    return timed(async () => {
      const end = performance.now() + Number(millis);
      let next = Number(first);
      await Promise.all(Array.from({ length: Number(callers) }, async () => {
        while (performance.now() < end) {
          await add(0, job(next++, Number(due)));
        }
      }));
      return next - Number(first);
    });
  },

  removeFor(millis, ...tasks) {
    return timed(async () => {
      const end = performance.now() + Number(millis);
      let removed = 0;
      for (const task of tasks) {
        if (performance.now() >= end) {
          break;
        }
        const [queue, number] = parsed(task);
        if (await queues[queue].remove(idOf(number)) !== 1) {
          throw new Error(`task ${number} was not there`);
        }
        removed++;
      }
      return removed;
    });
  },

  async pending() {
    const states = ['waiting', 'active', 'delayed', 'prioritized', 'failed'];
    const sums = await Promise.all(queues.map(queue => queue.getJobCountByTypes(...states)));
    return sums.reduce((sum, jobs) => sum + jobs, 0);
  },

  // nanoseconds
  async cpu() {
    const { user, system } = process.cpuUsage();
    return (user + system) * 1000;
  },
};

async function obey(line) {
  const [call, verb, ...args] = line.split(' ');
  try {
    process.stdout.write(`= ${call} ${await verbs[verb](...args)}\n`);
  } catch (error) {
    process.stdout.write(`! ${call} ${String(error).replaceAll('\n', ' ')}\n`);
  }
}

await Promise.all([...queues, ...workers].map(each => each.waitUntilReady()));
createInterface({ input: process.stdin })
  .on('line', obey)
  .on('close', () => process.exit(0));
