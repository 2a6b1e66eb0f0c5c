/** Groups and auto routes the signed-in user may use, and the models they lead to (ROUTE-17). */
import { request, requestWhole } from './request.js'
import type { components } from './schema.js'

type Schemas = components['schemas']

export type UsableGroup = Schemas['UsableGroup'] & { readonly name: string }

export type UsableRoute = Schemas['UsableRoute']

export interface Usable {
  readonly groups: readonly UsableGroup[]
  readonly routes: readonly UsableRoute[]
}

type Dictionary = Readonly<Record<string, Schemas['UsableGroup']>>

export async function readUsable(): Promise<Usable> {
  const { data, beside } = await requestWhole<Dictionary>('GET', '/api/group/')
  const groups = Object.entries(data).map(([name, group]) => ({ name, ...group }))
  return { groups, routes: (beside.auto_routes ?? []) as readonly UsableRoute[] }
}

/** Of a group by name or an auto route by key; empty: where requests go when nobody names one. */
export function readUsableModels(group = ''): Promise<readonly string[]> {
  return request('GET', '/api/user/models', { query: { group } })
}
