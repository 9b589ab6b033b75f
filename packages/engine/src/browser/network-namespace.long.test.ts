import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { CHROMIUM } from '@sortie/testing/engine/chromium.ts';
import { descendantsOf, read } from '@sortie/testing/server/processes.ts';
import { startBareServer, type TargetServer } from '@sortie/testing/targets/target-servers.ts';
import { openBrowser } from './browser.ts';
import { launchBrowser } from './launch-browser.ts';
import { loadPlaywright } from './load-playwright.ts';
import { createNetworkNamespace } from './network-namespace.ts';
import { CALLBACK } from './visit.ts';

type Launched = Awaited<ReturnType<typeof launchBrowser>>;

let launched: Launched;
let server: TargetServer;
before(async () => {
  launched = await launchBrowser(CHROMIUM, 'preferred');
  server = await startBareServer((socket) => socket.destroy());
});
after(async () => {
  await launched.browser.close();
  await server.close();
});

/** Opens our server in a browser without our command-line switches, and counts the connections that arrive. */
async function countReached(executablePath: string): Promise<number> {
  const { chromium } = await loadPlaywright();
  const browser = await chromium.launch({ executablePath, chromiumSandbox: false });
  const before = server.connections();
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.port}/`, { timeout: 5_000 }).catch(() => undefined);
  await page.evaluate(`new WebSocket('ws://127.0.0.1:${server.port}')`).catch(() => undefined);
  await setTimeout(500);
  await browser.close();
  return server.connections() - before;
}

describe('the network namespace of the browser', () => {
  it('is none of ours, and has no interface but a loopback', () => {
    const processes = descendantsOf(process.pid).filter((pid) => read(`/proc/${pid}/cmdline`).includes('chromium'));
    assert.ok(processes.length >= 2 && launched.isOffNetwork);
    for (const pid of processes) {
      assert.notEqual(readlinkSync(`/proc/${pid}/ns/net`), readlinkSync('/proc/self/ns/net'));
      assert.deepEqual(read(`/proc/${pid}/net/dev`).match(/\w+(?=:)/g), ['lo']);
    }
  });

  it('lets a browser reach nothing on this machine that it would reach otherwise', async () => {
    const namespace = (await createNetworkNamespace(CHROMIUM)) ?? assert.fail('no network namespace');
    assert.ok((await countReached(CHROMIUM)) > 0);
    assert.equal(await countReached(namespace.program), 0);
    await namespace.remove();
  });

  it('lets no mDNS packet of WebRTC out', async () => {
    const listener = createSocket({ type: 'udp4', reuseAddr: true });
    let heard = 0;
    // The mDNS query contains the name that the resolver rules map every name to.
    listener.on('message', (packet) => void (packet.includes('~NOTFOUND') && heard++)).bind(5_353);
    await once(listener, 'listening');
    for (const address of Object.values(networkInterfaces()).flatMap((each) => each ?? [])) {
      if (address.family === 'IPv4') listener.addMembership('224.0.0.251', address.address);
    }
    const context = await launched.browser.newContext();
    await context.route('**', (route) => route.fulfill({ contentType: 'text/html', body: 'page' }));
    const page = await context.newPage();
    await page.goto('https://site.test/');
    await page.evaluate(`(async () => {
      const [one, other] = [new RTCPeerConnection(), new RTCPeerConnection()];
      one.createDataChannel('channel');
      await one.setLocalDescription(await one.createOffer());
      await other.setRemoteDescription(one.localDescription);
      await other.setLocalDescription(await other.createAnswer());
      const candidate = 'candidate:1 1 udp 2113937151 ${crypto.randomUUID()}.local 5000 typ host';
      await other.addIceCandidate({ candidate, sdpMid: '0' });
    })()`);
    await setTimeout(1_500);
    listener.close();
    assert.equal(heard, 0);
  });

  it('is not seen by pages, which load through the sender and take themselves to be online', async () => {
    const browser = await openBrowser(CHROMIUM, 'Sortie test', 'preferred');
    const body = Buffer.from(`<script>${CALLBACK}(String(navigator.onLine))</script>`);
    const visited = await browser.visit({ method: 'GET', url: 'http://site.test/' }, async (request) => ({
      request: { ...request, purpose: 'test' },
      response: { status: 200, headers: [['Content-Type', 'text/html']], body, isCut: false },
      failure: null,
      remote: null,
      firstByteMs: 1,
      durationMs: 1,
    }));
    await browser.close();
    assert.deepEqual(visited?.calls, ['true']);
  });
});
