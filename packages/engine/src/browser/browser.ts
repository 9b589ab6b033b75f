import { type Driven, drive } from './drive.ts';
import { type Explored, type Exploring, explorePage } from './explore.ts';
import type { BrowserSend } from './requests.ts';
import { type Further, type PageRequest, type PageVisit, type VisitAim, visit } from './visit.ts';

export interface Browser {
  /**
   * Opens what a request answers, in a profile of its own, and tells what its scripts called us with. A form that is sent
   * is shown as it would be after a page elsewhere has sent it.
   */
  visit(request: PageRequest, send: BrowserSend, aim?: VisitAim): Promise<PageVisit | undefined>;
  /** Lets somebody work with a page as a person would, in a profile of its own. Undefined when it took too long. */
  drive<Value>(send: BrowserSend, use: (driven: Driven) => Promise<Value>): Promise<Value | undefined>;
  /** Opens a page likewise, and tries what can be clicked on it. */
  explore(url: string, send: BrowserSend, exploring: Exploring): Promise<Explored | undefined>;
  isOpen(): boolean;
  close(): Promise<void>;
}

/** A page must not use up the memory. */
const MOST_SOCKETS = 50;
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
];

/** Sandboxed where the kernel allows it; otherwise the unprivileged user of the engine has to do. */
export async function openBrowser(program: string, userAgent: string): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const launch = (chromiumSandbox: boolean) =>
    chromium.launch({ executablePath: program, args: WITHOUT_NETWORK, chromiumSandbox, env: { HOME: '/nonexistent' } });
  const started = await launch(true).catch(() => launch(false));
  return {
    visit: (request, send, aim) => visit(started, userAgent, { request, send, ...aim }),
    drive: (send, use) => drive(started, userAgent, send, use),
    async explore(url, send, exploring) {
      let explored: Explored | undefined;
      const sockets: string[] = [];
      const further: Further = {
        mostMs: exploring.mostMs,
        onSocket: (each) => void (sockets.length < MOST_SOCKETS && sockets.push(each)),
        async use(page) {
          explored = await explorePage(page, exploring);
        },
      };
      await visit(started, userAgent, { request: { method: 'GET', url }, send, further });
      return explored && { ...explored, sockets };
    },
    isOpen: () => started.isConnected(),
    close: () => started.close(),
  };
}
