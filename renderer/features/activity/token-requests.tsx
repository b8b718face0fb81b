import { Anchor, Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { isTokenLabel, tokenLabel } from '../../../server/contract/constants.ts';
import type { LoggedRequestEntry } from '../../../server/contract/server.ts';
import { useRequests } from '../../api/overview.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { lowerFirst, plural } from '../../ui/text/format.ts';
import { Moment } from '../../ui/text/moment.tsx';
import { addressText } from './request-text.ts';

/** What the changes of a token do not say: how often it was used, and whether it still is although it is refused. Nothing for another search. */
export function TokenRequests({ typed }: { typed: string }) {
  const label = typed.trim();
  return isTokenLabel(label) ? <RequestsOf label={label} /> : null;
}

function RequestsOf({ label }: { label: string }) {
  const { data: log } = useRequests();
  if (log === undefined) return null;
  const requests = log.filter(({ token }) => token !== null && tokenLabel(token) === label);
  const refused = requests.filter(({ status }) => status === 401 || status === 403);
  const [newest] = requests;
  const [lastRefused] = refused;
  const oldest = log.at(-1);
  return (
    <Box px="var(--gh-gutter)" pt={10}>
      <Notice tone={lastRefused === undefined ? 'plain' : 'warn'}>
        {newest === undefined ? (
          'No requests with this token.'
        ) : lastRefused === undefined ? (
          <>
            {plural(requests.length, 'request')} with this token, the last one <WhenAndWhere {...newest} />. None was
            refused.
          </>
        ) : (
          <>
            {plural(requests.length, 'request')} with this token. {refused.length} refused, the last one{' '}
            <WhenAndWhere {...lastRefused} />.
          </>
        )}{' '}
        {oldest === undefined ? (
          'The log of requests is empty.'
        ) : (
          <>
            The log of requests begins <Moment time={oldest.at} />.
          </>
        )}
        {newest === undefined ? null : (
          <>
            {' '}
            <Anchor
              inherit
              renderRoot={(props) => (
                <Link {...props} to="/activity" search={(former) => ({ ...former, view: 'requests' as const })} />
              )}
            >
              Show requests
            </Anchor>
          </>
        )}
      </Notice>
    </Box>
  );
}

function WhenAndWhere({ at, address }: Pick<LoggedRequestEntry, 'at' | 'address'>) {
  return (
    <>
      <Moment time={at} />
      {address === null ? null : ` from ${lowerFirst(addressText(address))}`}
    </>
  );
}
