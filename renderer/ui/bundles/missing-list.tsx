/** What a bundle lacks, as nobody who was asked has it. */
export function MissingList({ missing }: { missing: readonly string[] }) {
  return (
    <>
      <div>Missing, as neither this registry nor another one has them:</div>
      <ul className="gh-mono" style={{ margin: 0, paddingLeft: 18 }}>
        {missing.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </>
  );
}
