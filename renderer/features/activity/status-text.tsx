import { Text } from '@mantine/core';

/** The status of a response, in the color of a refusal or a failure if it was one. */
export function StatusText({ status }: { status: number }) {
  return (
    <Text span inherit c={status < 400 ? 'inherit' : status < 500 ? 'var(--gh-warn)' : 'var(--gh-danger)'}>
      {status}
    </Text>
  );
}
