/** The plugins this gateway ships with: every manifest is sound, and no two stand in each other's way. */
import t from 'tap'
import { builtInRoots } from '../../config/built-in.js'
import { checkAll } from '../../kernel/registry/checked.js'
import { discover } from '../../kernel/registry/discovery.js'
import { kernelServiceNames } from '../../kernel/registry/kernel-services.js'
import { loadOrder } from '../../kernel/registry/order.js'
import { stageOrder } from '../../kernel/toolkit/stage/line.js'
import { order } from '../../plugins/stages/line.js'

t.test('every built-in manifest is sound by itself and among the others', async (t) => {
  const line = stageOrder(order)
  const checked = checkAll(await discover(builtInRoots), {
    kernelServices: kernelServiceNames,
    line,
  })
  t.ok(checked.length > line.length)
  t.strictSame(
    checked.flatMap(({ fault }) => fault ?? []),
    [],
  )
  const manifests = checked.map(({ manifest }) => manifest)
  t.strictSame(loadOrder(manifests, 'options').cycles, [])
  for (const stage of line)
    t.ok(
      manifests.some(({ id }) => id === `stage.${stage}`),
      stage,
    )
})
