import type { Browser } from 'playwright-core';
import { loadPlaywright } from '../load-playwright.ts';

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

/** Sandboxed where the kernel allows it; otherwise the unprivileged user of the engine has to do. */
export async function launchBrowser(program: string): Promise<Browser> {
  const { chromium } = await loadPlaywright();
  const launch = (chromiumSandbox: boolean) =>
    chromium.launch({ executablePath: program, args: WITHOUT_NETWORK, chromiumSandbox, env: { HOME: '/nonexistent' } });
  return launch(true).catch(() => launch(false));
}
