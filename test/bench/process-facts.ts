import { readFileSync, writeFileSync } from 'node:fs';

/** Resident memory of a process in MiB: now, and its highest since `resetPeak`. Linux only, as all of this file. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
}

/** Restarts the peak of `memoryOf`. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** Seconds of processor time that a process has used. */
export function processorSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime and stime, in ticks of a hundredth of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Memory of a process and all its descendants in MiB, shared pages divided among those that share them (PSS). */
export function sharedMemoryOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  const own = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(own) / 1024 + children.reduce((sum, child) => sum + sharedMemoryOf(child), 0);
}
