import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** The operator's exceptions to the rule that only public addresses are contacted; each for one port, or for all. */
export type AllowList = readonly { network: Network; port: number | undefined }[];

/** Returns why an address and port may not be contacted, as a message for the run's owner; undefined if they may. */
export type AddressRule = (address: string, port: number) => string | undefined;

/** Ranges that the library classifies as public, but that lead into a host's internal network or nowhere at all. */
const MORE_REFUSED = ['168.63.129.16/32', '100:0:0:1::/64', '3fff::/20', '5f00::/16', '::/96', '::ffff:0:0:0/96'].map(
  (range) => ipaddr.parseCIDR(range),
);

const V4_ENTRY = /^([0-9.]+(?:\/\d+)?)(?::(\d+))?$/;
const V6_ENTRY = /^(?:\[([0-9a-f:.]+(?:\/\d+)?)\](?::(\d+))?|([0-9a-f:.]+(?:\/\d+)?))$/i;

/**
 * Returns undefined for anything but a literal IP address. A zone is refused, because it selects a network interface of
 * this machine.
 */
function readAddress(address: string): Address | undefined {
  return isIP(address) && !address.includes('%') ? ipaddr.process(inHexadecimal(address)) : undefined;
}

/** The library parses ::1.2.3.4 as ::ffff:1.2.3.4, which is a different address; ::102:304 it parses correctly. */
function inHexadecimal(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

const lies = (address: Address, network: Network) =>
  address.kind() === network[0].kind() && address.match(network as never);

const isPublic = (address: Address) =>
  address.range() === 'unicast' && !MORE_REFUSED.some((network) => lies(address, network));

/** Returns whether an address is public: not private, reserved, loopback or link-local. */
export function isPublicAddress(address: string): boolean {
  const read = readAddress(address);
  return read !== undefined && isPublic(read);
}

function parseEntry(entry: string): AllowList[number] {
  const v4 = V4_ENTRY.exec(entry);
  const v6 = V6_ENTRY.exec(entry);
  const range = v4?.[1] ?? v6?.[1] ?? v6?.[3] ?? '';
  const port = v4?.[2] ?? v6?.[2];
  const [address = '', bits] = range.split('/');
  const isRight = isIP(address) === (v4 ? 4 : 6) && Number(bits ?? 0) <= (v4 ? 32 : 128);
  if (!isRight || (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535))) {
    throw new Error(`"${entry}" is not a network: write 10.0.0.0/8, 10.0.0.5/32:8080, fd00::/8 or [fd00::5/128]:8080.`);
  }
  const parsed = ipaddr.parse(inHexadecimal(address));
  const network: Network = [parsed, bits === undefined ? parsed.toByteArray().length * 8 : Number(bits)];
  return { network, port: port === undefined ? undefined : Number(port) };
}

/** Throws an error whose message names the invalid entry. */
export function parseAllowList(entries: readonly string[]): AllowList {
  return entries.map((entry) => parseEntry(entry.trim()));
}

const ADDRESS_OR_NETWORK = /^\[?([0-9a-f:.]+)\]?(?:\/(\d{1,3}))?$/i;

/**
 * Reads an address, with or without brackets, or a network such as 192.0.2.0/24. Returns undefined for anything else,
 * such as a host name.
 */
function readNetwork(text: string): Network | undefined {
  const [, written = '', length] = ADDRESS_OR_NETWORK.exec(text) ?? [];
  const address = readAddress(written);
  if (!address) return undefined;
  const most = address.toByteArray().length * 8;
  const bits = length === undefined ? most : Number(length);
  return bits <= most ? [address, bits] : undefined;
}

/** Returns the canonical notation of a network, for comparison; undefined if the text is no network. */
export function canonicalNetwork(text: string): string | undefined {
  const network = readNetwork(text);
  if (!network) return undefined;
  const [address, bits] = network;
  const first = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${first.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/**
 * Takes the addresses and networks of a list that may also contain names. Returns a function that tells whether one of
 * them contains an address.
 */
function createHolder(entries: readonly string[]): (address: Address) => boolean {
  const networks = entries.flatMap((entry) => {
    const network = readNetwork(entry);
    return network ? [network] : [];
  });
  return (address) => networks.some((network) => lies(address, network));
}

/**
 * Tells whether the operator allowed an address and port explicitly, public or not, and normalizes the notation of
 * addresses.
 */
export function createAllowance(allowAddresses: readonly string[]) {
  const allowed = parseAllowList(allowAddresses);
  return {
    isAllowed(address: string, port: number): boolean {
      const read = readAddress(address);
      return read !== undefined && allowed.some((one) => (one.port ?? port) === port && lies(read, one.network));
    },
    spelling: (address: string) => String(readAddress(address) ?? address),
  };
}

/** `optedOut` may contain names as well; the scope checks those before they are resolved. */
export function createAddressRule(allowAddresses: readonly string[], optedOut: readonly string[] = []): AddressRule {
  const allowed = parseAllowList(allowAddresses);
  const isUnwanted = createHolder(optedOut);
  return (address, port) => {
    const read = readAddress(address);
    if (!read) return `${address} is not a supported IP address.`;
    if (isUnwanted(read)) return `The owner of ${address} has opted out of scans.`;
    if (isPublic(read)) return undefined;
    const isAllowed = allowed.some((one) => (one.port ?? port) === port && lies(read, one.network));
    return isAllowed ? undefined : `${address} is not a public address.`;
  };
}
