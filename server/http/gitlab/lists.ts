import { queryWithoutToken } from '../respond.ts';
import type { PathParameters } from '../route-matcher.ts';
import { integer, readParameters, rule, toInteger } from './params.ts';
import type { Parameters } from './request-parameters.ts';

/** One page of a list that is counted by offsets. */
export interface Page {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly offset: number;
}

/** What the links of a page repeat from its request. */
interface PagedRequest {
  readonly origin: string;
  readonly rawPath: string;
  readonly path: PathParameters;
  readonly query: URLSearchParams;
}

const defaultPerPage = 20;
const largestPerPage = 100;
/** Lists above this are not counted for clients, as in GitLab. */
const countedTotal = 10_000;
/** Clients accept 16 KiB of headers; with a longer query there are no links. */
const longestLink = 8192;

/** Parameters of every list that comes in pages. */
export const paging = {
  page: integer(),
  per_page: integer(),
  positive: rule(({ per_page: size }) => {
    return (toInteger(size) ?? 1) < 1 ? 'per_page has a value not allowed' : undefined;
  }),
};

/**
 * The requested page: `page` and `per_page`, 1 and 20 where absent, at most 100 rows.
 * @throws ParameterError as GitLab's parameter layer complains.
 */
export function readPage(parameters: Parameters): Page {
  const { page, per_page: perPage } = readParameters(paging, parameters);
  const size = Math.min(perPage ?? defaultPerPage, largestPerPage);
  const number = Math.max(page ?? 1, 1);
  return { page: number, perPage: size, offset: (number - 1) * size };
}

/** GitLab's pagination headers for a page of a list of `total` rows. */
export function pageHeaders(request: PagedRequest, page: Page, total: number): Record<string, string> {
  const isCounted = total <= countedTotal;
  const pages = Math.max(1, Math.ceil(total / page.perPage));
  // Past the end there is no previous page, as in GitLab.
  const previous = page.page > 1 && page.page <= pages ? page.page - 1 : undefined;
  const next = page.page < pages ? page.page + 1 : undefined;
  const links = Object.entries({ prev: previous, next, first: 1, last: isCounted ? pages : undefined })
    .flatMap(([rel, number]) => (number === undefined ? [] : [link(request, page, number, rel)]))
    .join(', ');
  return {
    'X-Page': String(page.page),
    'X-Per-Page': String(page.perPage),
    'X-Next-Page': String(next ?? ''),
    'X-Prev-Page': String(previous ?? ''),
    ...(isCounted ? { 'X-Total': String(total), 'X-Total-Pages': String(pages) } : {}),
    ...(links.length > longestLink ? {} : { Link: links }),
  };
}

function link(request: PagedRequest, { perPage }: Page, number: number, rel: string): string {
  // GitLab repeats parameters of the path, such as `id`.
  const parameters = { ...request.path, page: String(number), per_page: String(perPage) };
  return linkTo(request, parameters, rel);
}

/** A link to the address of a request with other parameters. A token in the query is left out: proxies log headers of answers. */
export function linkTo(
  request: Pick<PagedRequest, 'origin' | 'rawPath' | 'query'>,
  parameters: Readonly<Record<string, string>>,
  rel: string,
): string {
  const query = new URLSearchParams(queryWithoutToken(request.query));
  for (const [name, value] of Object.entries(parameters)) query.set(name, value);
  return `<${request.origin}${request.rawPath}?${query.toString()}>; rel="${rel}"`;
}

/** Whether any of some texts contains a search text, ignoring case; no search matches everything. */
export function matchesText(search: string | null | undefined, ...texts: readonly string[]): boolean {
  if (!search) return true;
  const wanted = search.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(wanted));
}

/** What lists are ordered by, with the field of a row. */
const orderFields = {
  id: 'id',
  name: 'name',
  path: 'path',
  username: 'username',
  similarity: 'name',
  created_at: 'createdAt',
  updated_at: 'updatedAt',
  last_activity_at: 'updatedAt',
} as const;

/** Rows ordered by a field, names ignoring case; equal ones by their id. */
export function sorted<
  Order extends keyof typeof orderFields,
  T extends { readonly id: number } & Readonly<Record<(typeof orderFields)[Order], string | number>>,
>(rows: readonly T[], order: Order, direction: 'asc' | 'desc'): T[] {
  const sign = direction === 'asc' ? 1 : -1;
  const keyOf = (row: T) => {
    const value: string | number = row[orderFields[order]];
    return typeof value === 'string' ? value.toLowerCase() : value;
  };
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    return sign * (left < right ? -1 : left > right ? 1 : a.id - b.id);
  });
}
