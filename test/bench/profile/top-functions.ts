/** The parts of V8's .cpuprofile format that count here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds between samples. */
  readonly timeDeltas: readonly number[];
}

/** Functions by their own time, most first, as lines of text; the share is of the time that was not idle. */
export function topFunctions(profileText: string, count: number): string {
  const profile = JSON.parse(profileText) as CpuProfile;
  const places = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'} ${url === '' ? '' : `${url.split('/').slice(-2).join('/')}:${lineNumber + 1}`}`,
    ]),
  );
  const times = new Map<string, number>();
  profile.samples.forEach((id, index) => {
    const place = places.get(id) ?? '?';
    times.set(place, (times.get(place) ?? 0) + (profile.timeDeltas[index] ?? 0));
  });
  times.delete('(idle) ');
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(
      ([place, time]) =>
        `  ${((100 * time) / total).toFixed(1).padStart(5)} %  ${(time / 1000).toFixed(0).padStart(6)} ms  ${place}`,
    )
    .join('\n');
}
