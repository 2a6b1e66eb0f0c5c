/** Tests of one channel, model by model, each with what came of it. */
import { useQueryClient } from '@tanstack/vue-query'
import { computed, onUnmounted, reactive, ref } from 'vue'
import { type TestOutcome, testChannel } from '../../../api/channel-tests.js'
import { ApiFailure, messageOf } from '../../../api/failure.js'

export interface ModelTest {
  readonly state: 'running' | 'done' | 'failed'
  readonly outcome?: TestOutcome
}

export interface TestChoice {
  readonly endpoint: string
  readonly stream: boolean
}

const atOnce = 2

export function useModelTests(channelId: number, choice: () => TestChoice) {
  const queryClient = useQueryClient()
  const tests = reactive(new Map<string, ModelTest>())
  const running = computed(() => [...tests.values()].some(({ state }) => state === 'running'))
  const stopping = ref(false)
  /** Model whose test has ended last. */
  const last = ref('')
  const gone = new AbortController()
  onUnmounted(() => gone.abort())

  /** False: the gateway requires a pause. */
  async function test(model: string): Promise<boolean> {
    tests.set(model, { state: 'running' })
    const { endpoint, stream } = choice()
    try {
      const terms = { model, endpoint_type: endpoint, stream }
      const outcome = await testChannel(channelId, terms, gone.signal)
      ended(model, outcome)
      return true
    } catch (error) {
      ended(model, { ok: false, message: messageOf(error), model })
      return !(error instanceof ApiFailure)
    } finally {
      if (!gone.signal.aborted && !running.value) again()
    }
  }

  function ended(model: string, outcome: TestOutcome): void {
    tests.set(model, { state: outcome.ok ? 'done' : 'failed', outcome })
    last.value = model
  }

  /** What the table shows of it, once and not after each of two hundred. */
  function again(): void {
    void queryClient.invalidateQueries({ queryKey: ['channels'] })
  }

  async function testAll(models: readonly string[]): Promise<void> {
    stopping.value = false
    const waiting = models.values()
    await Promise.all(Array.from({ length: atOnce }, () => through(waiting)))
  }

  async function through(models: Iterable<string>): Promise<void> {
    for (const model of models) {
      if (stopping.value || gone.signal.aborted) return
      if (!(await test(model))) return
    }
  }

  return {
    tests,
    running,
    last,
    test,
    testAll,
    stop: () => {
      stopping.value = true
    },
  }
}
