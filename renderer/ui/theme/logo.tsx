/** The mark: a gate with its two leaves open. */
export function Logo({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true" focusable="false">
      <rect x="1" y="1" width="22" height="22" rx="6" fill="var(--gh-accent-solid)" />
      <path d="M6 18.5V11a6 6 0 0 1 12 0v7.5" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
      <path d="M12 18.5v-6.2" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
      <circle cx="12" cy="9.4" r="1.1" fill="#fff" />
    </svg>
  );
}
