/**
 * `GET /api/openapi.json`: the API as this gateway serves it. Whoever is signed in reads what their role may call and no
 * more, so that a stranger learns nothing of the admins' part; each document is made once and then served from memory.
 */
import { setImmediate } from 'node:timers/promises'
import joi from 'joi'
import type { Answer, Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { Catalog } from '../../../kernel/contract/services/catalog.js'
import { revalidated } from '../../../kernel/toolkit/management/index.js'
import { type DescribedRoute, describeRoute, openApiDocument } from './document/document.js'
import { NamedSchemas } from './document/named-schemas.js'

export default function create({ services }: Kit<'catalog' | 'system'>): Management {
  const { catalog, system } = services
  const known = new Map<number, Answer>()
  const named = new NamedSchemas()
  let reported: Promise<readonly DescribedRoute[]> | undefined

  async function read({ principal }: ManagementRequest): Promise<Answer> {
    const role = roles.find((rank) => rank <= (principal?.role ?? 0)) ?? 0
    reported ??= describedRoutes(catalog, named)
    const routes = await reported
    const answer =
      known.get(role) ??
      revalidated(JSON.stringify(openApiDocument({ version: system.version, routes, role, named })))
    known.set(role, answer)
    return answer
  }

  return { routes: { read: { bare: true, response: openApiForm, handle: read } } }
}

const openApiForm = joi
  .object({ openapi: joi.string().valid('3.1.0') })
  .unknown()
  .description('An OpenAPI 3.1 document of what the caller may call.')

/** Root, admin, common: the ranks at which a caller may call more. */
const roles = [100, 10, 1] as const

/** Hundreds of schemas take their time, so whatever else is under way gets its turn between two routes. */
async function describedRoutes(
  catalog: Catalog,
  named: NamedSchemas,
): Promise<readonly DescribedRoute[]> {
  const reported: DescribedRoute[] = []
  for (const route of catalog.routes()) {
    reported.push(...describeRoute(route, named))
    await setImmediate()
  }
  return reported
}
