import { connect, createServer, type Socket } from 'node:net';

/** Simulates network latency: forwards all data in both directions after a delay, without limiting bandwidth. */
const [to = '', delay = '', addresses = ''] = process.argv.slice(2);

function passOn(from: Socket, into: Socket): void {
  from.on('data', (chunk) => setTimeout(() => into.writable && into.write(chunk), Number(delay)));
  from.on('end', () => setTimeout(() => into.end(), Number(delay)));
  from.on('error', () => into.destroy());
}

function carry(socket: Socket): void {
  const far = connect({ port: Number(to), host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  socket.setNoDelay(true);
  passOn(socket, far);
  passOn(far, socket);
}

const addressAt = (index: number) => `127.0.0.${index + 1}`;
const listen = (host: string, port: number) =>
  new Promise<number>((resolve) => {
    const server = createServer({ allowHalfOpen: true }, carry);
    server.listen({ host, port, backlog: 511 }, () => resolve((server.address() as { port: number }).port));
  });

const port = await listen(addressAt(0), 0);
for (let index = 1; index < Number(addresses); index++) await listen(addressAt(index), port);
process.stdout.write(`${port}\n`);
