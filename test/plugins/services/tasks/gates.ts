/**
 * Places in the life of a task at which a process is stopped while a test looks at it or kills it: triggers of the database wait
 * there for a lock that the test has. Each task is known by its prompt.
 */
import pg from 'pg'
import type { Test } from 'tap'

/** `row`: the row is about to be made. `hold`: money is set aside. `sending`: the call is about to be made. */
type Step = 'row' | 'hold' | 'sending' | 'accepted' | 'closed' | 'ending' | 'final'

export interface Gates {
  /** The task with this prompt stops at this step. */
  close(prompt: string, step: Step): Promise<void>
  /** Resolves once it stands there. */
  reached(prompt: string): Promise<void>
  /** The connection that stands there is ended: what it was about to do was never done. */
  cut(prompt: string): Promise<void>
  /** What it was about to do is done, whoever waits for it. Of every gate. */
  open(): Promise<void>
}

export async function gates(t: Pick<Test, 'teardown'>, databaseUrl: string): Promise<Gates> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  t.teardown(() => client.end().catch(() => {}))
  await client.query(gateSql)
  let held: number[] = []
  const numbers = new Map<string, number>()
  const standing = async (prompt: string): Promise<number | undefined> => {
    const { rows } = await client.query(
      `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = 77 AND objid = $1 AND NOT granted`,
      [numbers.get(prompt)],
    )
    return rows[0]?.pid
  }
  return {
    async close(prompt, step) {
      const { rows } = await client.query(
        'INSERT INTO test_gates (prompt, step) VALUES ($1, $2) RETURNING id',
        [prompt, step],
      )
      const { id } = rows[0]
      numbers.set(prompt, id)
      held.push(id)
      await client.query('SELECT pg_advisory_lock(77, $1)', [id])
    },
    async reached(prompt) {
      while ((await standing(prompt)) === undefined) await client.query('SELECT pg_sleep(0.01)')
    },
    async cut(prompt) {
      await client.query('SELECT pg_terminate_backend($1, 5000)', [await standing(prompt)])
    },
    async open() {
      for (const id of held) await client.query('SELECT pg_advisory_unlock(77, $1)', [id])
      held = []
      await client.query('DELETE FROM test_gates')
      // Whoever still stands there goes on before anything else is looked at.
      while ((await busy(client)) > 0) await client.query('SELECT pg_sleep(0.01)')
    },
  }
}

async function busy(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `SELECT count(*)::int AS busy FROM pg_stat_activity WHERE datname = current_database()
       AND state <> 'idle' AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
  return rows[0].busy
}

const gateSql = `
  CREATE TABLE test_gates (id integer GENERATED ALWAYS AS IDENTITY, prompt text, step text);
  CREATE FUNCTION test_gate(of_prompt text, of_step text) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE gate integer;
  BEGIN
    SELECT id INTO gate FROM test_gates WHERE prompt = of_prompt AND step = of_step;
    IF FOUND THEN
      PERFORM pg_advisory_xact_lock_shared(77, gate);
    END IF;
  END $$;
  CREATE FUNCTION test_gate_tasks() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' THEN
      PERFORM test_gate(NEW.request ->> 'prompt', 'row');
    ELSIF NEW.sent_at IS DISTINCT FROM OLD.sent_at AND NEW.sent_at IS NOT NULL THEN
      PERFORM test_gate(NEW.request ->> 'prompt', 'sending');
    ELSIF NEW.billing <> OLD.billing THEN
      PERFORM test_gate(NEW.request ->> 'prompt', CASE NEW.billing WHEN 'charged' THEN 'accepted' ELSE 'ending' END);
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER test_gate BEFORE INSERT OR UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION test_gate_tasks();
  CREATE FUNCTION test_gate_money() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE prompt text;
  BEGIN
    SELECT request ->> 'prompt' INTO prompt FROM tasks WHERE request_id = NEW.request_id;
    IF TG_TABLE_NAME = 'transfers' THEN
      IF NEW.kind = 'task_final' THEN
        PERFORM test_gate(prompt, 'final');
      END IF;
    ELSE
      PERFORM test_gate(prompt, CASE TG_OP WHEN 'INSERT' THEN 'hold' ELSE 'closed' END);
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER test_gate BEFORE INSERT OR UPDATE ON billing_requests FOR EACH ROW EXECUTE FUNCTION test_gate_money();
  CREATE TRIGGER test_gate BEFORE INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION test_gate_money();`
