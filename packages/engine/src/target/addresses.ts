import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** The operator's exceptions from the rule that only public addresses are contacted. */
export type AllowList = readonly { network: Network /** Undefined for every port. */; port: number | undefined }[];

/** Why this address and port may not be contacted, in words for the run's owner; undefined when they may. */
export type AddressRule = (address: string, port: number) => string | undefined;

/** In ranges that the library takes for public, but that lead into the network of a host or nowhere at all. */
const MORE_REFUSED = ['168.63.129.16/32', '100:0:0:1::/64', '3fff::/20', '5f00::/16', '::/96', '::ffff:0:0:0/96'].map(
  (range) => ipaddr.parseCIDR(range),
);

const V4_ENTRY = /^([0-9.]+(?:\/\d+)?)(?::(\d+))?$/;
const V6_ENTRY = /^(?:\[([0-9a-f:.]+(?:\/\d+)?)\](?::(\d+))?|([0-9a-f:.]+(?:\/\d+)?))$/i;

/** Strict: what is not written as an address is none. A zone leads to a network card of ours. */
function readAddress(address: string): Address | undefined {
  return isIP(address) && !address.includes('%') ? ipaddr.process(inHexadecimal(address)) : undefined;
}

/** The library takes ::1.2.3.4 for ::ffff:1.2.3.4, which is another address; ::102:304 it takes for what it is. */
function inHexadecimal(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

const lies = (address: Address, network: Network) =>
  address.kind() === network[0].kind() && address.match(network as never);

const isPublic = (address: Address) =>
  address.range() === 'unicast' && !MORE_REFUSED.some((network) => lies(address, network));

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

/** Throws an error whose message says which entry is wrong. */
export function parseAllowList(entries: readonly string[]): AllowList {
  return entries.map((entry) => parseEntry(entry.trim()));
}

const ADDRESS_OR_NETWORK = /^\[?([0-9a-f:.]+)\]?(?:\/(\d{1,3}))?$/i;

/** An address, in brackets or not, or a network such as 192.0.2.0/24; undefined for anything else, such as a name. */
function readNetwork(text: string): Network | undefined {
  const [, written = '', length] = ADDRESS_OR_NETWORK.exec(text) ?? [];
  const address = readAddress(written);
  if (!address) return undefined;
  const most = address.toByteArray().length * 8;
  const bits = length === undefined ? most : Number(length);
  return bits <= most ? [address, bits] : undefined;
}

/** A network in the one spelling that networks are compared in; undefined when the text is none. */
export function canonicalNetwork(text: string): string | undefined {
  const network = readNetwork(text);
  if (!network) return undefined;
  const [address, bits] = network;
  const first = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  return `${first.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`;
}

/** What of a list of names, addresses and networks are addresses and networks: whether one of them holds this address. */
function createHolder(entries: readonly string[]): (address: Address) => boolean {
  const networks = entries.flatMap((entry) => {
    const network = readNetwork(entry);
    return network ? [network] : [];
  });
  return (address) => networks.some((network) => lies(address, network));
}

/** Whether the operator has named this address and port, public or not, and how an address is spelled in one way. */
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

/** `optedOut` may hold names as well: they are judged by the scope, before they are looked up. */
export function createAddressRule(allowAddresses: readonly string[], optedOut: readonly string[] = []): AddressRule {
  const allowed = parseAllowList(allowAddresses);
  const isUnwanted = createHolder(optedOut);
  return (address, port) => {
    const read = readAddress(address);
    if (!read) return `${address} is not an address that can be judged.`;
    if (isUnwanted(read)) return `The owner of ${address} wants no scans of it.`;
    if (isPublic(read)) return undefined;
    const isAllowed = allowed.some((one) => (one.port ?? port) === port && lies(read, one.network));
    return isAllowed ? undefined : `${address} is not a public address.`;
  };
}
