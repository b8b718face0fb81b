import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { compress } from '../../lib/compress.ts';
import { encodingOf } from '../negotiate.ts';
import { matchesEtag } from '../preconditions.ts';
import { headerOf, sendEmpty } from '../respond.ts';
import { createDocument } from './document.ts';

/** Answers requests for the document, which is the same for everybody and is made once. */
export function createDocumentSender(version: string): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
  const document = Buffer.from(JSON.stringify(createDocument({ version })));
  const etag = `W/"${hash('sha256', document).slice(0, 32)}"`;
  const compressed = new Map<string, Promise<Buffer>>();
  return async (req, res) => {
    const headers = { ETag: etag, 'Cache-Control': 'public, max-age=0, must-revalidate', Vary: 'Accept-Encoding' };
    if (matchesEtag(headerOf(req, 'if-none-match'), etag)) {
      sendEmpty(res, 304, headers);
      return;
    }
    const encoding = encodingOf(req);
    const pending = compressed.get(encoding) ?? compress(document, encoding);
    compressed.set(encoding, pending);
    const bytes = await pending;
    res.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': bytes.length,
      ...headers,
      ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
    });
    res.end(bytes);
  };
}
