/** What a rule sees in a request: whether it is for it, the key, and the digest the tie stands under. */
import { hash } from 'node:crypto'
import type { AffinityQuery } from './affinity.js'
import { textAt } from './body-path.js'
import { type Pattern, type Patterns, textCharactersMax } from './patterns.js'
import type { KeySource, Rule } from './rule.js'

/** @param agent the user agent in lower case */
export function applies(
  { userAgents, paths, models }: Rule,
  query: AffinityQuery,
  agent: string,
  patterns: Patterns,
): boolean {
  return (
    (userAgents.length === 0 || includesAny(agent, userAgents)) &&
    (paths.length === 0 || matchesAny(query.path, paths, patterns)) &&
    (models.length === 0 || matchesAny(query.model, models, patterns))
  )
}

/** The key by the first source that gives one. */
export function keyIn({ sources, value }: Rule, query: AffinityQuery, patterns: Patterns) {
  for (const source of sources) {
    const text = sourceText(source, query)
    if (text === undefined || text.length > textCharactersMax) continue
    const key = value === undefined ? text : patterns.capture(value, text)
    if (key !== undefined && key !== '') return key
  }
  return undefined
}

/**
 * Of one size however long the key is, and not readable. The user is part of it whatever the rule is: keys are the
 * client's word, so with a shared tie anyone who names another's key could move that tie, or have it forgotten.
 */
export function digestOf(
  { name, byRule, byGroup, byModel }: Rule,
  query: AffinityQuery,
  key: string,
) {
  const { userId, userGroup, model } = query
  const parts = [userId, byRule && name, byGroup && userGroup, byModel && model, key]
  return hash('sha256', JSON.stringify(parts), 'base64url')
}

export function agentOf({ headers }: AffinityQuery): string {
  const agent = headers['user-agent']
  return agent === undefined ? '' : agent.slice(0, textCharactersMax).toLowerCase()
}

function includesAny(text: string, parts: readonly string[]): boolean {
  for (const part of parts) if (text.includes(part)) return true
  return false
}

function matchesAny(text: string, some: readonly Pattern[], patterns: Patterns): boolean {
  for (const pattern of some) if (patterns.test(pattern, text)) return true
  return false
}

function sourceText(source: KeySource, query: AffinityQuery): string | undefined {
  switch (source.kind) {
    case 'body':
      return query.body && textAt(query.body, source.path)
    case 'header':
      return headerText(query, source.name)
    case 'user':
      return String(query.userId)
    case 'group':
      return query.userGroup
  }
}

function headerText({ headers }: AffinityQuery, name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'string' ? value : value?.[0]
}
