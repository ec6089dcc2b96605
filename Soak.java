package io.idempotency.runtime.engine;
import io.idempotency.*; import io.idempotency.runtime.*; import io.idempotency.runtime.memory.*; import io.idempotency.runtime.store.*;
import java.time.*; import java.util.*; import java.util.concurrent.*; import java.util.concurrent.atomic.*;
public class Soak {
  static volatile boolean down=false;
  public static void main(String[] a) throws Exception {
    boolean perf=a.length>0&&a[0].equals("perf");
    MemoryIdempotencyStore mem=new MemoryIdempotencyStore();
    IdempotencyStore store=perf?mem:(IdempotencyStore)java.lang.reflect.Proxy.newProxyInstance(Soak.class.getClassLoader(),new Class<?>[]{IdempotencyStore.class},(p,m,args)->{
      switch(m.getName()){ case "name": return "x"; case "blocking": return true; case "hashCode": return 1; case "equals": return p==args[0];}
      if(down && !m.getName().equals("claim")) throw new IllegalStateException("down");
      try { return m.invoke(mem,args);} catch(java.lang.reflect.InvocationTargetException e){throw e.getCause();} });
    EngineTimer timer=new EngineTimer();
    ExecutorService pool=Executors.newFixedThreadPool(8,r->{Thread t=new Thread(r);t.setDaemon(true);return t;});
    ExecutorService up=Executors.newFixedThreadPool(2,r->{Thread t=new Thread(r);t.setDaemon(true);return t;});
    Upkeep upkeep=new Upkeep(){public Executor renewals(IdempotencyStore s){return up;}public Executor retries(IdempotencyStore s){return up;}};
    IdempotencyEngine e=new IdempotencyEngine(new ExecutionServices(timer,pool,upkeep,System::nanoTime,()->UUID.randomUUID().toString(),()->0.5,List.of()));
    ResultCodec codec=new ResultCodec(){public byte[] encode(Object v){return (byte[])v;}public Object decode(byte[] b){return b;}};
    Operation op=new Operation("pay","pay",store,codec,new Operation.Policy(Duration.ofHours(1),Duration.ofDays(1),Duration.ofSeconds(perf?30:2),WhenInProgress.valueOf(System.getProperty("wip","REJECT")),Duration.ofSeconds(1),OnFailure.REMEMBER,Map.of(),OnStoreFailure.FAIL,OnAbandoned.REFUSE,false,1<<20,Duration.ofMillis(100)));
    if(perf){
      byte[] r=new byte[10];
      for(int round=0;round<6;round++){
        long t=System.nanoTime(); int n=300000; long r0=timer.rounds();
        for(int i=0;i<n;i++){ e.execute(new Invocation(op,RecordId.of("p",null,null,round+"-"+i),"1:x",c->CompletableFuture.completedFuture(r),null)); }
        long first=(System.nanoTime()-t)/n; t=System.nanoTime();
        for(int i=0;i<n;i++){ e.execute(new Invocation(op,RecordId.of("p",null,null,round+"-"+i),"1:x",c->CompletableFuture.completedFuture(r),null)); }
        System.out.println("first "+first+" ns, replay "+(System.nanoTime()-t)/n+" ns, timer rounds "+(timer.rounds()-r0));
        StackTraceElement[][] st=new StackTraceElement[1][]; e.execute(new Invocation(op,RecordId.of("p",null,null,"s"+round),"1:x",c->{st[0]=new Throwable().getStackTrace();return CompletableFuture.completedFuture(r);},null));
        if(round==5) System.out.println("frames to body "+(st[0].length-2));
        if(round==5){ long t1=System.nanoTime(); for(int i=0;i<1000000;i++) StackReserve.require(); System.out.println("reserve "+(System.nanoTime()-t1)/1000000+" ns"); }
      } return; }
    // soak: small heap, large results, store down and up
    AtomicInteger done=new AtomicInteger(), errors=new AtomicInteger();
    List<Thread> ts=new ArrayList<>(); long end=System.nanoTime()+20_000_000_000L; AtomicLong keys=new AtomicLong();
    for(int i=0;i<6;i++){ int id=i; Thread t=new Thread(()->{ while(System.nanoTime()<end){ try{ long k=keys.incrementAndGet(); Invocation c=new Invocation(op,RecordId.of("p",null,null,"k"+k/2),"1:x",x->CompletableFuture.completedFuture(new byte[300_000]),null);
        if(id%2==0) e.execute(c); else e.executeAsync(c).toCompletableFuture().get(10,TimeUnit.SECONDS); done.incrementAndGet(); }catch(Throwable x){ errors.incrementAndGet(); } } }); ts.add(t); t.start(); }
    for(int i=0;i<19;i++){ try { Thread.sleep(1000); down=i%2==0; } catch(Throwable t){} try { System.gc(); mem.list(RecordState.COMPLETED,Duration.ZERO,1); } catch(Throwable t){} }
    down=false; for(Thread t:ts) t.join();
    System.out.println("calls "+done+" errors "+errors+" running "+e.running());
    for(int i=0;i<40 && (e.running()>0);i++) Thread.sleep(500);
    Thread.sleep(5000);
    System.out.println("running "+e.running()+" left "+e.shutDown(Duration.ofSeconds(10)).toCompletableFuture().get());
    System.out.println("in progress "+mem.list(RecordState.IN_PROGRESS,Duration.ZERO,10).toCompletableFuture().join().size()+" rounds "+timer.rounds());
  }
}
