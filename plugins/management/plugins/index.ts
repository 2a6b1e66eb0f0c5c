/** What this gateway is made of, and the switches of plugins from outside (management/README.md section 7). */
import joi from 'joi'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { noData } from '../../../kernel/toolkit/management/index.js'
import { pluginsOfAll } from './health-of-all.js'
import { pluginOverview } from './responses.js'

interface Named {
  readonly id: string
}

interface Switch extends Named {
  readonly on: boolean
}

const id = joi.string().max(128).required()
const named = joi.object<Named>({ id })
const switched = joi.object<Switch>({ id, on: joi.boolean().strict().required() })

export default function create({
  services,
}: Kit<'catalog' | 'plugin-switches' | 'peers'>): Management {
  const { catalog, peers, 'plugin-switches': switches } = services
  const plugins = pluginsOfAll(catalog, peers)

  async function list() {
    return {
      plugins: await plugins(),
      problems: catalog.problems(),
      line: catalog.line(),
      channel_types: catalog.channelTypes(),
    }
  }

  return {
    routes: {
      list: { response: pluginOverview, handle: list },
      switch: {
        body: switched,
        response: noData,
        handle: ({ body }: ManagementRequest<unknown, Switch>) => switches.set(body.id, body.on),
      },
      reload: {
        body: named,
        response: noData,
        handle: ({ body }: ManagementRequest<unknown, Named>) => switches.reload(body.id),
      },
    },
  }
}
