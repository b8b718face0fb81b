/**
 * What Node can do at best: `node:http` alone, which answers given bytes from memory or streams a file from disk. The argument is a
 * JSON file of routes.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import type { BareRoute } from './bare.ts';

const [portText = '0', routesFile = ''] = process.argv.slice(2);
const routes = new Map(
  (JSON.parse(readFileSync(routesFile, 'utf8')) as BareRoute[]).map((route) => [
    route.path,
    { ...route, bytes: route.from === 'memory' ? readFileSync(route.file) : undefined },
  ]),
);

const server = createServer((req, res) => {
  const route = routes.get(req.url ?? '');
  if (!route) {
    res.writeHead(req.url === '/-/ping' ? 200 : 404, { 'Content-Length': 0 });
    res.end();
    return;
  }
  const { etag, bytes } = route;
  if (req.headers['if-none-match'] === etag) {
    res.writeHead(304, { ETag: etag });
    res.end();
    return;
  }
  res.writeHead(200, { 'Content-Type': route.type, 'Content-Length': route.size, ETag: etag });
  if (bytes) res.end(bytes);
  else pipeline(createReadStream(route.file), res, () => undefined);
});
server.listen(Number(portText), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
