import { GatehouseError } from '../../contract/errors.ts';
import { Base64Decoder } from '../../lib/base64-decoder.ts';
import { documentBudget } from '../../lib/byte-budget.ts';
import { DocumentSplitter } from './document-splitter.ts';
import type { DataPiece } from './document-splitter.ts';
import { shorten } from '../../lib/printable.ts';
import { nextTurn } from '../../lib/turns.ts';
import { TarballInspector } from './tarball-inspector.ts';
import type { TarballStore, TarballWriter } from './tarball-store.ts';
import type { UploadLimits } from './upload-limits.ts';

/** A tarball that arrived: `writer` has its bytes, `inspector` has seen all of them. */
export interface ReceivedTarball {
  readonly kind: 'tarball';
  readonly writer: TarballWriter;
  readonly inspector: Pick<TarballInspector, 'result'>;
}
/** An attachment whose data is plain text. */
export interface ReceivedText {
  readonly kind: 'text';
  readonly text: string;
}
export type ReceivedAttachment = ReceivedTarball | ReceivedText;

/** A publish document, taken apart. The receiver must call `discard` in the end; what was kept stays. */
export interface ReceivedUpload {
  /** The document with an empty string in the place of each attachment's data. */
  readonly document: unknown;
  readonly attachments: ReadonlyMap<string, ReceivedAttachment>;
  discard(): Promise<void>;
}

export interface ReceiveOptions {
  readonly tarballs: Pick<TarballStore, 'create'>;
  readonly limits: UploadLimits;
  /** Whose share of the memory for documents this takes. */
  readonly holder: string;
  /** Called before an attachment is refused, for a caller that has a better reason to refuse it. */
  readonly onTooMany?: () => void;
}

/**
 * Reads a publish document from a socket in constant memory: tarballs are decoded, hashed, inspected and written on the way.
 * @throws GatehouseError for whatever makes the document unusable; nothing is left on disk then.
 */
export async function receiveUpload(body: AsyncIterable<Buffer>, options: ReceiveOptions): Promise<ReceivedUpload> {
  const { limits } = options;
  const splitter = new DocumentSplitter(limits.document);
  const held = documentBudget.hold(options.holder);
  const sinks = new Map<string, AttachmentSink>();
  const discard = async (): Promise<void> => {
    for (const sink of sinks.values()) await sink.discard();
  };
  try {
    for await (const chunk of body) {
      for (const piece of splitter.push(chunk)) {
        let sink = sinks.get(piece.attachment);
        if (!sink) {
          if (sinks.size >= limits.attachments) {
            options.onTooMany?.();
            throw new GatehouseError(
              'invalid_request',
              `The document holds more than ${limits.attachments} attachments. Publish one tarball, with its provenance bundle at most.`,
            );
          }
          sink = piece.attachment.endsWith('.tgz')
            ? new TarballSink(piece.attachment, options)
            : new TextSink(piece.attachment, limits);
          sinks.set(piece.attachment, sink);
        }
        await sink.take(piece);
      }
      held.hold([...sinks.values()].reduce((sum, sink) => sum + sink.held, splitter.held));
    }
    // What arrived together with the end was looked at in this turn.
    await nextTurn();
    const document = splitter.end();
    await nextTurn();
    const attachments = new Map([...sinks].map(([name, sink]) => [name, sink.received()]));
    return { document, attachments, discard };
  } catch (error) {
    await discard();
    throw error;
  } finally {
    held.release();
  }
}

interface AttachmentSink {
  /** Bytes that it collects to parse them as a whole. */
  readonly held: number;
  take(piece: DataPiece): Promise<void>;
  received(): ReceivedAttachment;
  discard(): Promise<void>;
}

class TarballSink implements AttachmentSink {
  readonly held = 0;
  readonly #name: string;
  readonly #limits: UploadLimits;
  readonly #decoder = new Base64Decoder();
  readonly #writer: TarballWriter;
  readonly #inspector: TarballInspector;

  constructor(name: string, { tarballs, limits }: ReceiveOptions) {
    this.#name = name;
    this.#limits = limits;
    this.#writer = tarballs.create();
    this.#inspector = new TarballInspector(limits.inspection);
  }

  async take(piece: DataPiece): Promise<void> {
    const bytes = this.#decoder.push(piece.bytes);
    if (!bytes || (piece.last && !this.#decoder.end())) {
      throw new GatehouseError(
        'invalid_request',
        `The data of the attachment "${shorten(this.#name)}" is not valid base64.`,
      );
    }
    if (this.#writer.size + bytes.length > this.#limits.tarball) {
      throw new GatehouseError(
        'payload_too_large',
        `File is too large. The tarball may have at most ${this.#limits.tarball} bytes; leave out what users do not need ("files" in package.json).`,
        { gitlabMessage: 'File is too large.' },
      );
    }
    if (bytes.length === 0) return;
    await Promise.all([this.#writer.write(bytes), this.#inspector.write(bytes)]);
  }

  received(): ReceivedTarball {
    return { kind: 'tarball', writer: this.#writer, inspector: this.#inspector };
  }

  async discard(): Promise<void> {
    this.#inspector.cancel();
    await this.#writer.discard();
  }
}

class TextSink implements AttachmentSink {
  readonly #name: string;
  readonly #limit: number;
  readonly #pieces: Buffer[] = [];
  #size = 0;

  constructor(name: string, limits: UploadLimits) {
    this.#name = name;
    this.#limit = limits.bundle;
  }

  get held(): number {
    return this.#size;
  }

  async take(piece: DataPiece): Promise<void> {
    this.#size += piece.bytes.length;
    if (this.#size > this.#limit) {
      throw new GatehouseError(
        'payload_too_large',
        `The attachment "${shorten(this.#name)}" is larger than ${this.#limit} bytes.`,
      );
    }
    this.#pieces.push(Buffer.from(piece.bytes));
  }

  received(): ReceivedText {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(this.#pieces));
      return { kind: 'text', text };
    } catch {
      throw new GatehouseError('invalid_request', `The attachment "${shorten(this.#name)}" is not valid UTF-8.`);
    }
  }

  async discard(): Promise<void> {
    this.#pieces.length = 0;
  }
}
