package rtoscope;

import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.PriorityQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.eclipse.californium.core.coap.CoAP.Type;
import org.eclipse.californium.core.coap.MessageObserverAdapter;
import org.eclipse.californium.core.coap.Request;
import org.eclipse.californium.core.coap.Response;
import org.eclipse.californium.core.config.CoapConfig.CongestionControlMode;
import org.eclipse.californium.core.network.CoapEndpoint;
import org.eclipse.californium.core.network.stack.CoapUdpStack;
import org.eclipse.californium.core.network.stack.Layer;
import org.eclipse.californium.core.network.stack.ReliabilityLayer;
import org.eclipse.californium.elements.AddressEndpointContext;
import org.eclipse.californium.elements.Connector;
import org.eclipse.californium.elements.EndpointContext;
import org.eclipse.californium.elements.EndpointContextMatcher;
import org.eclipse.californium.elements.RawData;
import org.eclipse.californium.elements.RawDataChannel;
import org.eclipse.californium.elements.config.Configuration;

/**
 * A whole CoapEndpoint (matcher, all layers, serialiser and parser) in one thread and in virtual time, over
 * a connector that counts the copies. Its timers and tasks go through the queues here.
 */
final class Stack {
	private static final InetSocketAddress SELF = new InetSocketAddress(Driver.PEER.getAddress(), 40_000);
	private static final EndpointContext PEER = new AddressEndpointContext(Driver.PEER);

	private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
	private final PriorityQueue<Timer> timers = new PriorityQueue<>();
	private final CoapEndpoint endpoint;
	private RawDataChannel receiver;
	private byte[] sent;
	private boolean over;
	private long scheduled;
	private long[] script;
	private int copy;
	private long answer;
	/** Copies sent so far. */
	long copies;

	Stack(CongestionControlMode mode) throws Exception {
		Configuration config = Driver.configuration(mode);
		endpoint = CoapEndpoint.builder().setConfiguration(config).setConnector(new Link())
				.setCoapStackFactory((protocol, tag, settings, outbox, custom) -> new CoapUdpStack(tag, settings, outbox) {
					@Override
					protected Layer createReliabilityLayer(String name, Configuration same) {
						Layer layer = super.createReliabilityLayer(name, same);
						try {
							Driver.seed((ReliabilityLayer) layer);
						} catch (ReflectiveOperationException impossible) {
							throw new IllegalStateException(impossible);
						}
						return layer;
					}
				}).build();
		Executor executor = new Executor();
		endpoint.setExecutors(executor, executor);
		endpoint.start();
		work();
	}

	/** Plays one exchange to its end. */
	void play(long[] exchange) {
		script = exchange;
		copy = 0;
		answer = Long.MAX_VALUE;
		over = false;
		Driver.draw = exchange[1];
		advance(Driver.now + exchange[0]);
		Request request = Request.newGet();
		request.setType(Type.CON);
		request.setDestinationContext(PEER);
		request.addMessageObserver(new MessageObserverAdapter() {
			@Override
			public void onResponse(Response response) {
				over = true;
			}

			@Override
			public void onTimeout() {
				over = true;
			}
		});
		endpoint.sendRequest(request);
		work();
		while (!over) {
			Timer next = timers.peek();
			if (next == null || answer <= next.at) {
				Driver.now = answer;
				answer = Long.MAX_VALUE;
				receiver.receiveData(RawData.inbound(reply(), PEER, false, Driver.now, SELF));
			} else {
				timers.poll();
				if (!next.isCancelled()) {
					Driver.now = next.at;
					next.run();
				}
			}
			work();
		}
	}

	/** Lets time pass up to <code>until</code>. */
	private void advance(long until) {
		for (Timer next = timers.peek(); next != null && next.at <= until; next = timers.peek()) {
			timers.poll();
			if (!next.isCancelled()) {
				Driver.now = next.at;
				next.run();
				work();
			}
		}
		Driver.now = until;
	}

	private void work() {
		for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
			task.run();
		}
	}

	/** An acknowledgement 2.05 with the Message ID and the token of the request (RFC 7252 §3). */
	private byte[] reply() {
		int token = sent[0] & 0x0f;
		byte[] bytes = java.util.Arrays.copyOf(sent, 4 + token);
		bytes[0] = (byte) (0x60 | token);
		bytes[1] = 0x45;
		return bytes;
	}

	private final class Link implements Connector {
		@Override
		public void send(RawData message) {
			sent = message.getBytes();
			copies++;
			long delay = script[2 + copy++];
			if (delay >= 0) {
				answer = Math.min(answer, Driver.now + delay);
			}
			message.onContextEstablished(PEER);
			message.onSent();
		}

		@Override
		public void setRawDataReceiver(RawDataChannel channel) {
			receiver = channel;
		}

		@Override
		public InetSocketAddress getAddress() {
			return SELF;
		}

		@Override
		public String getProtocol() {
			return "UDP";
		}

		@Override
		public boolean isRunning() {
			return true;
		}

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public void destroy() {
		}

		@Override
		public void setEndpointContextMatcher(EndpointContextMatcher matcher) {
		}

		@Override
		public void processDatagram(DatagramPacket datagram) {
		}
	}

	private final class Timer extends FutureTask<Object> implements ScheduledFuture<Object> {
		private final long at;
		private final long order = scheduled++;

		Timer(Runnable command, long at) {
			super(command, null);
			this.at = at;
		}

		@Override
		public long getDelay(TimeUnit unit) {
			return unit.convert(at - Driver.now, TimeUnit.NANOSECONDS);
		}

		@Override
		public int compareTo(Delayed other) {
			Timer timer = (Timer) other;
			return at == timer.at ? Long.compare(order, timer.order) : Long.compare(at, timer.at);
		}
	}

	/** Runs everything in the one thread; periodic housekeeping is left out. */
	private final class Executor extends ScheduledThreadPoolExecutor {
		Executor() {
			super(1);
		}

		@Override
		public void execute(Runnable command) {
			tasks.add(command);
		}

		@Override
		public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
			Timer timer = new Timer(command, Driver.now + unit.toNanos(delay));
			timers.add(timer);
			return timer;
		}

		@Override
		public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initial, long period, TimeUnit unit) {
			return new Timer(command, Long.MAX_VALUE);
		}

		@Override
		public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initial, long delay, TimeUnit unit) {
			return new Timer(command, Long.MAX_VALUE);
		}
	}
}
