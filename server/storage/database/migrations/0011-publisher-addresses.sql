-- An e-mail address is for its user and for administrators, but manifests held those of their publishers. Now they hold the address that
-- accounts/naming.ts makes of the user name.
UPDATE package_versions
SET manifest = json_set(manifest, '$._npmUser.email', (manifest ->> '$._npmUser.name') || '@users.noreply.gatehouse.local')
WHERE CASE WHEN json_valid(manifest) THEN json_type(manifest, '$._npmUser.email') = 'text' END;

-- The manifest of a staged version is a text within its JSON, and stays one by the empty text in front.
UPDATE staged_versions
SET content = json_set(
  content,
  '$.version.manifest',
  '' || json_set(
    content ->> '$.version.manifest',
    '$._npmUser.email',
    (content ->> '$.version.manifest' ->> '$._npmUser.name') || '@users.noreply.gatehouse.local'
  )
)
WHERE CASE
  WHEN json_valid(content) AND json_valid(content ->> '$.version.manifest')
  THEN json_type(content ->> '$.version.manifest', '$._npmUser.email') = 'text'
END;
