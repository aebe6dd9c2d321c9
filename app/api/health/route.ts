import { checkHealth } from '@/lib/operations/health/service';
import { answerForProxies } from '@/lib/operations/health/site';
import { registerDeployment } from '@/lib/video/processing/registration';

export async function GET({ headers }: Request): Promise<Response> {
  registerDeployment(headers);
  const health = await checkHealth();
  const status = health.status === 'ok' ? 200 : 503;
  return Response.json(health, {
    status,
    headers: { 'cache-control': 'no-store', ...answerForProxies(headers) },
  });
}
