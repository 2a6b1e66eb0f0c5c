/** Which global objects a module uses that a plugin of its kind has no need of: what it needs is in its kit. */
import findGlobals from 'acorn-globals'
import type { PluginKind } from '../../kernel/contract/manifest.js'
import { isPure } from '../../kernel/registry/kit.js'

/** Calls by these reach any host; those of the kit reach the hosts of the manifest. */
const network: ReadonlySet<string> = new Set([
  ...['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'],
])
/** The process, time, and ways to any other global object. */
const surroundings: ReadonlySet<string> = new Set([
  ...['process', 'console', 'require', 'module'],
  ...['setTimeout', 'setInterval', 'setImmediate'],
  ...['globalThis', 'global', 'eval'],
])

/** One sentence for each name, with the line of its first use. `text` is a module without a fault. */
export function globalUses(text: string, kind: PluginKind): readonly string[] {
  return findGlobals(text, { sourceType: 'module', ecmaVersion: 'latest', locations: true })
    .filter(({ name }) => network.has(name) || (isPure(kind) && surroundings.has(name)))
    .map(({ name, nodes }) => `uses ${name} (line ${lineOf(nodes)}), ${adviceOn(kind)}`)
}

function lineOf(nodes: ReturnType<typeof findGlobals>[number]['nodes']): number {
  return Math.min(...nodes.map(({ loc }) => loc?.start.line ?? 0))
}

function adviceOn(kind: PluginKind): string {
  if (isPure(kind)) return `and plugins of the kind "${kind}" reach nothing outside themselves`
  const ways = kind === 'service' || kind === 'management' ? '"egress"' : '"fetch" of the kit'
  return `which reaches any host; ${ways} reaches those of the manifest`
}
