/** What Node can do at best: `node:http` alone, which answers the bytes of a file from memory. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port = '0', file = '', facts = '{}'] = process.argv.slice(2);
const body = readFileSync(file);
const headers = { ...(JSON.parse(facts) as Record<string, string>), 'content-length': body.length };
const etag = (JSON.parse(facts) as Record<string, string>)['etag'];

createServer((req, res) => {
  if (etag !== undefined && req.headers['if-none-match'] === etag) res.writeHead(304, { etag }).end();
  else res.writeHead(200, headers).end(body);
}).listen(Number(port), '127.0.0.1');
