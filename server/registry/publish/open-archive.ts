import { extract } from 'tar-stream';
import type { Extract } from 'tar-stream';
import { GatehouseError } from '../../contract/errors.ts';

/** Bytes of a long header (pax, GNU); those of packers have hundreds. */
const largestHeader = 64 * 1024;

type Pax = Readonly<Record<string, string>> | null;

/** The part of tar-stream that its types leave out. */
interface Inside {
  _decodeLongHeader(bytes: Uint8Array): void;
  _pax: Pax;
  _paxGlobal: Pax;
}

/**
 * Reads an untrusted tar. tar-stream takes headers of up to 4 MiB and makes each of their records a key, of those for the
 * whole archive again for every entry: a few hundred kilobytes then fill a heap or hold a thread for minutes. Here longer headers are
 * refused, and only the records that mean something to us are kept.
 */
export function openArchive(): Extract {
  const archive = extract();
  const inside = archive as unknown as Inside;
  const decode = inside._decodeLongHeader.bind(archive);
  inside._decodeLongHeader = (bytes) => {
    requireHeaderSize(bytes.length);
    decode(bytes);
    inside._pax = meaningful(inside._pax);
    inside._paxGlobal = meaningful(inside._paxGlobal);
  };
  return archive;
}

/** @throws GatehouseError `invalid_request` for a long header (pax, GNU) of more bytes than are read. */
export function requireHeaderSize(bytes: number): void {
  if (bytes <= largestHeader) return;
  throw new GatehouseError(
    'invalid_request',
    `The archive holds a header of more than ${largestHeader} bytes, which no packer makes. Make it anew, a package with "npm pack".`,
  );
}

function meaningful(pax: Pax): Pax {
  if (!pax) return pax;
  const { path, linkpath, size } = pax;
  return {
    ...(path === undefined ? {} : { path }),
    ...(linkpath === undefined ? {} : { linkpath }),
    ...(size === undefined ? {} : { size }),
  };
}
