import { plant } from '../flaw.ts';

const note = 'The shell is simulated: it computes, prints and sleeps as sh would, and starts no process.';

export const shellFlaws = [
  plant({
    id: 'command-after-host',
    check: 'CMDI-OUT',
    title: 'The host to reach is part of a command line, and the output is shown',
    path: '/tools/ping',
    parameter: 'host',
    sample: '127.0.0.1',
    safePath: '/tools/reach',
    note,
  }),
  plant({
    id: 'command-past-a-filter',
    check: 'CMDI-OUT',
    depth: 'STANDARD',
    title: 'The host to trace is part of a command line, without spaces and without ; and &',
    path: '/tools/trace',
    parameter: 'host',
    sample: '127.0.0.1',
    safePath: '/tools/route',
    note,
  }),
  plant({
    id: 'command-in-quotes',
    check: 'CMDI-OUT',
    title: 'The title of a label is part of a command line, between double quotes',
    method: 'POST',
    path: '/tools/label',
    location: 'form',
    parameter: 'title',
    sample: 'Kettle',
    safePath: '/tools/sticker',
    note,
  }),
  plant({
    id: 'command-in-silence',
    check: 'CMDI-BLIND',
    title: 'The name of a backup is part of a command line; nothing of its output is shown',
    method: 'POST',
    path: '/api/tools/backup',
    location: 'json',
    parameter: '/name',
    sample: 'monday',
    safePath: '/api/tools/archive',
    note: `${note} Only the time tells, and curl and wget, which really call what the range was started with (--may-call) and nobody else. Names are not looked up.`,
  }),
];
