/** The version of this program, from `package.json`, as its tags write it (OPS-1). */
import { readFileSync } from 'node:fs'

/** As `v1.0.5-preview.4`. */
export function programVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }
  return `v${version}`
}
