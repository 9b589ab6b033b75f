import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Browser } from 'playwright-core';
import { BrowserError, type SandboxRule } from '../protocol/browser-problem.ts';
import { loadPlaywright } from './load-playwright.ts';

const NOWHERE = 'http://127.0.0.1:1';

/**
 * The browser has no network of its own: every name is unknown to it and every connection goes nowhere. What its pages
 * ask for is asked for by the sender, or refused.
 */
const WITHOUT_NETWORK = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  `--proxy-server=${NOWHERE}`,
  '--proxy-bypass-list=<-loopback>',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Its older name.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--no-first-run',
  // A frame with a process of its own may ask for something before we have got hold of it, which is lost then.
  '--disable-site-isolation-trials',
];

interface Launched {
  browser: Browser;
  isSandboxed: boolean;
}

/** One start may fail because the machine is busy. */
const MOST_ATTEMPTS = 2;

/**
 * Starts Chromium in its sandbox, by user namespaces or by the setuid helper of chromium-sandbox, whichever Chromium
 * finds usable. Where neither works, `preferred` starts it without one and says so. Throws a BrowserError otherwise.
 */
export async function launchBrowser(program: string, rule: SandboxRule): Promise<Launched> {
  await access(program, constants.X_OK).catch((cause: unknown) => {
    throw new BrowserError('missing', `${program} is not a program that can be run`, { cause });
  });
  const { chromium, errors } = await loadPlaywright();
  const env = { HOME: '/nonexistent', TMPDIR: tmpdir() };
  const launch = (chromiumSandbox: boolean) =>
    chromium.launch({ executablePath: program, args: WITHOUT_NETWORK, chromiumSandbox, env });
  let failure: unknown;
  for (let attempt = 0; attempt < MOST_ATTEMPTS && !saysNoSandbox(failure); attempt++) {
    try {
      return { browser: await launch(true), isSandboxed: true };
    } catch (error) {
      failure = error;
    }
  }
  const couldNotStart = () => new BrowserError('could not start', firstLine(failure), { cause: failure });
  // Slowness says nothing about the sandbox.
  if (failure instanceof errors.TimeoutError) throw couldNotStart();
  const browser = await launch(false).catch(() => undefined);
  if (!browser) throw couldNotStart();
  if (rule === 'preferred') return { browser, isSandboxed: false };
  await browser.close();
  throw new BrowserError('no sandbox', `${program} starts only without its sandbox`, { cause: failure });
}

const saysNoSandbox = (error: unknown) => /sandboxing failed/.test(String(error));

const firstLine = (error: unknown) => String(error).split('\n', 1)[0] ?? '';
