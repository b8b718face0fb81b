import { ParameterError } from '../errors.ts';
import { toInteger } from './parameter-types.ts';
import type { Parameters } from './request-parameters.ts';

/** One page of a list that is counted by offsets. */
export interface Page {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly offset: number;
}

/** Where a page was asked for, for the links to its neighbours. */
export interface PageAddress {
  /** Origin and raw path of the request, without a query. */
  readonly url: string;
  readonly query: URLSearchParams;
  /** Parameters of the path that GitLab repeats in the links, such as `id`. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

const defaultPerPage = 20;
const largestPerPage = 100;
/** Lists above this are not counted for clients, as in GitLab. */
const countedTotal = 10_000;
/** Clients take 16 KiB of headers; one who asks with a query that long must do without links. */
const longestLink = 8192;

/**
 * The page that a request asks for: `page` and `per_page`, 1 and 20 where absent, at most 100 rows.
 * @throws ParameterError as GitLab's parameter layer complains.
 */
export function readPage(parameters: Parameters): Page {
  const complaints: string[] = [];
  const page = toInteger(parameters['page'] ?? null);
  if (page === undefined) complaints.push('page is invalid');
  const perPage = toInteger(parameters['per_page'] ?? null);
  if (perPage === undefined) complaints.push('per_page is invalid');
  else if (perPage !== null && perPage < 1) complaints.push('per_page has a value not allowed');
  if (complaints.length > 0) throw new ParameterError(complaints.join(', '));
  const size = Math.min(perPage ?? defaultPerPage, largestPerPage);
  const number = Math.max(page ?? 1, 1);
  return { page: number, perPage: size, offset: (number - 1) * size };
}

/** The rows of a page out of a whole list. */
export function slicePage<T>(rows: readonly T[], page: Page): T[] {
  return rows.slice(page.offset, page.offset + page.perPage);
}

/** GitLab's pagination headers (api/environments.md 1.4) for a list of `total` rows. */
export function pageHeaders(page: Page, total: number, address: PageAddress): Record<string, string> {
  const counted = total <= countedTotal;
  const pages = Math.max(1, Math.ceil(total / page.perPage));
  // Past the end there is no way back, as in GitLab.
  const previous = page.page > 1 && page.page <= pages ? page.page - 1 : undefined;
  const next = page.page < pages ? page.page + 1 : undefined;
  const links = [
    ...(previous === undefined ? [] : [link(address, page, previous, 'prev')]),
    ...(next === undefined ? [] : [link(address, page, next, 'next')]),
    link(address, page, 1, 'first'),
    ...(counted ? [link(address, page, pages, 'last')] : []),
  ];
  const linkHeader = links.join(', ');
  return {
    'X-Page': String(page.page),
    'X-Per-Page': String(page.perPage),
    'X-Next-Page': next === undefined ? '' : String(next),
    'X-Prev-Page': previous === undefined ? '' : String(previous),
    ...(counted ? { 'X-Total': String(total), 'X-Total-Pages': String(pages) } : {}),
    ...(linkHeader.length > longestLink ? {} : { Link: linkHeader }),
  };
}

function link(address: PageAddress, page: Page, number: number, rel: string): string {
  const query = new URLSearchParams(address.query);
  for (const [name, value] of Object.entries(address.pathParameters)) query.set(name, value);
  query.set('page', String(number));
  query.set('per_page', String(page.perPage));
  return `<${address.url}?${query.toString()}>; rel="${rel}"`;
}
