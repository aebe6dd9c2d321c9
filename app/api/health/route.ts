import { checkHealth } from '@/lib/health/service';

export async function GET(): Promise<Response> {
  const health = await checkHealth();
  const status = health.status === 'ok' ? 200 : 503;
  return Response.json(health, { status, headers: { 'cache-control': 'no-store' } });
}
