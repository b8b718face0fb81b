import type { Socket } from 'node:net';

/**
 * Calls `onLine` with every line that arrives. Only a line feed ends a line: a JSON text may contain the other characters that some readers
 * take for an end. A line of more than `limit` bytes destroys the socket.
 */
export function readLines(socket: Socket, limit: number, onLine: (line: string) => void): void {
  let pieces: Buffer[] = [];
  let size = 0;
  socket.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, from)) {
      const line = Buffer.concat([...pieces, chunk.subarray(from, end)]).toString();
      pieces = [];
      size = 0;
      from = end + 1;
      onLine(line);
    }
    const rest = chunk.subarray(from);
    size += rest.length;
    if (size > limit) socket.destroy();
    else if (rest.length > 0) pieces.push(rest);
  });
  socket.resume();
}
