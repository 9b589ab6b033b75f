import { endpoints } from '@sortie/contract';
import { getDomain } from 'tldts';
import { readPlainOrigin } from './coverage.ts';

export interface ScannedUrl {
  url: string;
  domain: string;
}

/** Parses a URL as the API does, or returns why it cannot be scanned. A bare domain means its front page over https. */
export function readScanUrl(sent: string): ScannedUrl | { refusal: string } {
  const { error } = endpoints.startScan.body.safeParse({ url: sent });
  if (error) return { refusal: error.issues[0]?.message ?? error.message };
  const url = /^https?:\/\//i.test(sent) ? sent : `https://${sent}/`;
  const host = readPlainOrigin(new URL(url))?.host;
  if (host === undefined) return { refusal: 'has a host that cannot be scanned' };
  return { url, domain: getDomain(host, { allowPrivateDomains: true, validateHostname: false }) ?? host };
}
